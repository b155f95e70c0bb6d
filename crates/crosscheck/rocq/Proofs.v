(** Proof files: each line changes the state, and the state is correct after each line. The format is that of
    docs/proof-format.md. *)

From NDQ Require Import Definitions Boxes Sums Rows Trees Problems Layers Text.

(** * Bounds of boxes *)

Definition lemmas := list (list Z * Z).

Definition right_lemmas (p : piece) (ls : lemmas) : Prop := Forall (fun '(s, m) => at_most p s m) ls.

Fixpoint insert (n : Z) (l : list Z) : list Z :=
  match l with
  | [] => [n]
  | m :: l' => if n <=? m then n :: l else m :: insert n l'
  end.

Fixpoint sorted_sides (l : list Z) : list Z :=
  match l with
  | [] => []
  | n :: l' => insert n (sorted_sides l')
  end.

Lemma insert_permutation : forall n l, Permutation (n :: l) (insert n l).
Proof.
  intros n l. induction l as [| m l IH]; simpl; [reflexivity |]. destruct (n <=? m); [reflexivity |].
  rewrite perm_swap. constructor. exact IH.
Qed.

Lemma sorted_permutation : forall l, Permutation (sorted_sides l) l.
Proof.
  induction l as [| n l IH]; simpl; [reflexivity |]. rewrite <- insert_permutation. constructor. exact IH.
Qed.

Fixpoint find_bound (sides : list Z) (ls : lemmas) : option Z :=
  match ls with
  | [] => None
  | (s, m) :: ls' => if same s sides then Some m else find_bound sides ls'
  end.

Lemma same_eq : forall a b, same a b = true -> a = b.
Proof.
  induction a as [| x a IH]; intros [| y b]; simpl; try discriminate; [reflexivity |].
  intro H. apply andb_prop in H. destruct H as [H1 H2]. apply Z.eqb_eq in H1. f_equal; auto.
Qed.

Lemma find_bound_right : forall p sides ls m, right_lemmas p ls -> find_bound sides ls = Some m -> at_most p sides m.
Proof.
  intros p sides ls m H. induction H as [| [s n] ls Hs H IH]; simpl; [discriminate |].
  destruct (same s sides) eqn:E; [| exact IH]. apply same_eq in E. subst s. intros [= ->]. exact Hs.
Qed.

(** Returns the bound of a box, whose sides may have any order. The bound of a box without squares is 0. *)
Definition bound_of (ls : lemmas) (sides : list Z) : option Z :=
  if existsb (Z.eqb 0) sides then Some 0 else find_bound (sorted_sides sides) ls.

Lemma bound_of_right : forall p ls sides m, right_lemmas p ls -> bound_of ls sides = Some m -> at_most p sides m.
Proof.
  intros p ls sides m H. unfold bound_of. destruct (existsb (Z.eqb 0) sides) eqn:E.
  - intros [= <-] S (_ & Hon & _). destruct S as [| x S]; [reflexivity |]. inversion Hon as [| ? ? Hx _]; subst.
    exfalso. apply existsb_exists in E. destruct E as (n & Hn & E0). apply Z.eqb_eq in E0. subst n.
    clear Hon H. induction Hx as [| n c s x Hc Hx IH]; [destruct Hn |]. destruct Hn as [-> | Hn]; [lia | auto].
  - intro Hf. apply (at_most_permutation p (sorted_sides sides)); [apply sorted_permutation |].
    apply (find_bound_right p _ ls); assumption.
Qed.

Lemma at_most_weaker : forall p s a b, at_most p s a -> a <= b -> at_most p s b.
Proof. intros p s a b H Hab S HS. specialize (H S HS). lia. Qed.

Definition add_lemma (sides : list Z) (m : Z) (ls : lemmas) : lemmas :=
  match find_bound sides ls with
  | Some n => if n <=? m then ls else (sides, m) :: ls
  | None => (sides, m) :: ls
  end.

Lemma add_lemma_right : forall p sides m ls, right_lemmas p ls -> at_most p sides m ->
  right_lemmas p (add_lemma sides m ls).
Proof.
  intros p sides m ls H Hm. unfold add_lemma. destruct (find_bound sides ls) as [n |]; [destruct (n <=? m) |];
    try exact H; constructor; assumption.
Qed.

(** * The state between two lines *)

Inductive fault :=
  | NotHeader | NotBoard | NotPlain | NotSpaced | LineTooLong
  | NotTop | NotBox | NotSides | NotSorted | NotBound | ShownMore | NoLines | NoCut | NoLemma
  | NotOrder | BoardTooLarge | NumberTooLarge | NotSlab | SlabNotAtFace | SlabDemandTooLarge
  | ListTooLarge | NotSolution | SolutionSize | NotIndependent | SolutionsNotSorted | NotListed | CountNotShown
  | NotLayers | NotMirrored | NotSplit | TooManySteps
  | NotPart | PartOutside | PartDemandTooLarge
  | NotNode | NoRegionLetter | RegionSatisfied | NotCovered | ChildNotFree | TreeGoesOn | TreeEnds
  | NotSquare | NotClique | NotRow | NotLess | NoSlash | NotAutomorphism | OrbitMoves | OrbitSquare
  | NotShown | NotEnd | AfterEnd.

(** Result of a file: a bound, or the number of sets with [k] squares. *)
Inductive claim :=
  | AtMost (k : Z)
  | Exactly (k n : Z).

(** Goal of a tree: a bound, or that the sets with [k] squares are those of a list. *)
Inductive goal :=
  | Bound (bound : Z)
  | Sets (k : Z) (found : list (list square * Z)).

(** Returns the number of squares of the sets that the tree excludes. *)
Definition asked (g : goal) : Z :=
  match g with
  | Bound bound => bound + 1
  | Sets k _ => k
  end.

(** Assumption of a case: layers with the least number of squares in them, and the mask of their squares. *)
Record assumption := { axis_along : nat; layers_in : range; mask_of : Z }.

Definition assumed_of (case : list assumption) : list (Z * Z) := map (fun h => (mask_of h, least (layers_in h))) case.

(** Set of squares in a cuboid, with a lower limit of the number of squares of every solution in it. *)
Record region := { extent : cuboid; squares_in : Z; demand_of : Z }.

Definition demands_of (rs : list region) : list (Z * Z) := map (fun r => (squares_in r, demand_of r)) rs.

Definition assumed_region (sides : list Z) (h : assumption) : region :=
  let q := layers_in h in
  {| extent := with_axis (axis_along h) (first q, last q - first q + 1) (whole sides); squares_in := mask_of h; demand_of := least q |}.

(** Returns the regions of the body of a case: the regions of the tree, the assumptions, and the parts. *)
Definition all_regions (sides : list Z) (rs : list region) (case : list assumption) (parts : list region) : list region :=
  rs ++ map (assumed_region sides) case ++ parts.

(** State of the reader. The cases of a tree are processed in order; [todo] contains the later ones. *)
Inductive mode :=
  | AtHeader
  | AtBoard
  | AtTop
  | AtSolutions (k missing : Z) (squares : table square) (found : list (list square * Z))
  | AtOrder (sides : list Z) (g : goal)
  | AtSlabs (sides : list Z) (g : goal) (b : board) (rs : list region)
  | AtCase (sides : list Z) (g : goal) (b : board) (rs : list region) (known : list (list Z * automorphism))
      (case : list assumption) (parts : list region) (todo : list (list assumption))
  | AtNode (sides : list Z) (g : goal) (b : board) (rs : list region) (pb : problem) (known : list (list Z * automorphism))
      (P : list Z) (F : Z) (stack : list frame) (todo : list (list assumption))
  | AtEnd (c : claim)
  | Finished (c : claim)
  | Failed (f : fault).

Record state := {
  on_piece : piece;
  on_sides : list Z;
  has_rows : bool;                 (* the file has format 3, which has further rows in its sums *)
  shown : lemmas;
  counts : list (Z * Z);           (* number of sets of each size *)
  now : mode;
  nodes_seen : Z;
  boxes_seen : Z;
  steps_seen : Z                   (* steps of all case splits *)
}.

Definition right_claim (p : piece) (sides : list Z) (c : claim) : Prop :=
  match c with
  | AtMost k => at_most p sides k
  | Exactly k n => number_of_sets p sides k n
  end.

(** The sets found so far are independent, and differ because their keys are in order. *)
Definition right_sets (p : piece) (sides : list Z) (k : Z) (found : list (list square * Z)) : Prop :=
  right_found p sides k found /\ NoDup (map snd found) /\ Forall (fun key => snd (hd ([], key) found) <= key) (map snd found).

(** Bounds may be shown for any box, lists of sets only for the board itself. *)
Definition right_goal (p : piece) (on sides : list Z) (g : goal) : Prop :=
  match g with
  | Bound bound => 0 <= bound
  | Sets k found => sides = on /\ right_sets p on k found
  end.

Definition lies_in (b : board) (r : region) : Prop :=
  forall x, is_place b x -> mem (squares_in r) x = true -> inside (extent r) (at_ b x).

(** The squares of each region lie in its cuboid, and every solution of the problem satisfies its demand. *)
Definition right_regions (b : board) (pb : problem) (rs : list region) : Prop :=
  forall r, In r rs -> lies_in b r /\ forall S, solution pb S -> demand_of r <= count (mem (squares_in r)) S.

Definition right_tree (p : piece) (on sides : list Z) (g : goal) (b : board) (rs : list region) : Prop :=
  (exists o, make_board p o sides = Some b) /\ right_goal p on sides g /\
  right_regions b (problem_of b (asked g) nothing_listed [] []) rs.

Definition listed_for (sides : list Z) (b : board) (g : goal) : listing :=
  match g with
  | Bound _ => nothing_listed
  | Sets _ found => listing_of sides b found
  end.

(** Returns the problem of a case: sets of the size of the goal that satisfy the assumptions. The solutions do
    not depend on the regions. *)
Definition problem_for (sides : list Z) (b : board) (g : goal) (rs : list region) (case : list assumption) : problem :=
  problem_of b (asked g) (listed_for sides b g) (demands_of rs) (assumed_of case).

Definition right_assumption (b : board) (h : assumption) : Prop :=
  first (layers_in h) <= last (layers_in h) /\
  mask_of h = such_that b (slab_test (axis_along h) (first (layers_in h)) (last (layers_in h))).

(** If there is a solution, one of the remaining cases has a solution. *)
Definition cases_left (sides : list Z) (b : board) (g : goal) (rs : list region) (cases : list (list assumption)) : Prop :=
  Forall (Forall (right_assumption b)) cases /\
  (some_solution (problem_for sides b g rs []) -> Exists (fun case => some_solution (problem_for sides b g rs case)) cases).

Definition sound_known (pb : problem) (known : list (list Z * automorphism)) : Prop :=
  Forall (fun '(_, g) => sound_automorphism pb g) known.

Definition right_mode (p : piece) (on : list Z) (m : mode) : Prop :=
  match m with
  | AtSolutions k _ _ found => right_sets p on k found
  | AtOrder sides g => right_goal p on sides g
  | AtSlabs sides g b rs => right_tree p on sides g b rs
  | AtCase sides g b rs known case parts todo =>
      right_tree p on sides g b rs /\ sound_known (problem_for sides b g rs []) known /\ cases_left sides b g rs (case :: todo) /\
      right_regions b (problem_for sides b g rs case) parts
  | AtNode sides g b rs pb known P F stack todo =>
      right_tree p on sides g b rs /\ sound_known (problem_for sides b g rs []) known /\
      exists case all, pb = problem_for sides b g all case /\ demands pb /\ cases_left sides b g rs (case :: todo) /\
        invariant pb (At P F stack)
  | AtEnd c => right_claim p on c
  | Finished c => right_claim p on c
  | _ => True
  end.

Definition right (st : state) : Prop :=
  (right_lemmas (on_piece st) (shown st) /\
   Forall (fun '(k, n) => number_of_sets (on_piece st) (on_sides st) k n) (counts st)) /\
  right_mode (on_piece st) (on_sides st) (now st).

Definition with_mode (st : state) (m : mode) : state :=
  {| on_piece := on_piece st; on_sides := on_sides st; has_rows := has_rows st; shown := shown st; counts := counts st; now := m;
     nodes_seen := nodes_seen st; boxes_seen := boxes_seen st; steps_seen := steps_seen st |}.

(** Returns the state with a mode, in a file of format 3. *)
Definition with_rows (st : state) (m : mode) : state :=
  {| on_piece := on_piece st; on_sides := on_sides st; has_rows := true; shown := shown st; counts := counts st; now := m;
     nodes_seen := nodes_seen st; boxes_seen := boxes_seen st; steps_seen := steps_seen st |}.

Definition with_nodes (st : state) (n : Z) (m : mode) : state :=
  {| on_piece := on_piece st; on_sides := on_sides st; has_rows := has_rows st; shown := shown st; counts := counts st; now := m;
     nodes_seen := nodes_seen st + n; boxes_seen := boxes_seen st; steps_seen := steps_seen st |}.

Definition with_lemma (st : state) (sides : list Z) (bound : Z) (n : Z) : state :=
  {| on_piece := on_piece st; on_sides := on_sides st; has_rows := has_rows st; shown := add_lemma sides bound (shown st); counts := counts st;
     now := AtTop; nodes_seen := nodes_seen st + n; boxes_seen := boxes_seen st + 1;
     steps_seen := steps_seen st |}.

Definition with_count (st : state) (k count : Z) (n : Z) : state :=
  {| on_piece := on_piece st; on_sides := on_sides st; has_rows := has_rows st; shown := shown st; counts := (k, count) :: counts st; now := AtTop;
     nodes_seen := nodes_seen st + n; boxes_seen := boxes_seen st; steps_seen := steps_seen st |}.

Definition with_steps (st : state) (n : Z) : state :=
  {| on_piece := on_piece st; on_sides := on_sides st; has_rows := has_rows st; shown := shown st; counts := counts st; now := now st;
     nodes_seen := nodes_seen st; boxes_seen := boxes_seen st; steps_seen := n |}.

Lemma right_with_steps : forall st n, right st -> right (with_steps st n).
Proof. intros st n H. exact H. Qed.

Definition failed (st : state) (f : fault) : state := with_mode st (Failed f).

Lemma right_failed : forall st f, right st -> right (failed st f).
Proof. intros st f [H _]. split; [exact H | exact I]. Qed.

Lemma right_with_lemma : forall st sides bound n, right st -> at_most (on_piece st) sides bound ->
  right (with_lemma st sides bound n).
Proof. intros st sides bound n [[H Hc] _] Hb. split; [split; [apply add_lemma_right; assumption | exact Hc] | exact I]. Qed.

Lemma right_with_count : forall st k count n, right st -> number_of_sets (on_piece st) (on_sides st) k count ->
  right (with_count st k count n).
Proof. intros st k count n [[H Hc] _] Hn. split; [split; [exact H | constructor; assumption] | exact I]. Qed.

(** * Boxes *)

Fixpoint increasing (l : list Z) : bool :=
  match l with
  | a :: (b :: _) as l' => (a <=? b) && increasing l'
  | _ => true
  end.

(** Parses an axis, which is counted from 1. *)
Definition axis_of (w : list Z) (sides : list Z) : option nat :=
  match number w with
  | Some a => if (1 <=? a) && (a <=? Z.of_nat (length sides)) then Some (Z.to_nat (a - 1)) else None
  | None => None
  end.

Lemma axis_of_less : forall w sides a, axis_of w sides = Some a -> (a < length sides)%nat.
Proof.
  intros w sides a. unfold axis_of. destruct (number w) as [n |]; [| discriminate].
  destruct (Z.leb_spec 1 n); simpl; [| discriminate]. destruct (Z.leb_spec n (Z.of_nat (length sides))); [| discriminate].
  intros [= <-]. lia.
Qed.

Definition shown_by_lines (p : piece) (sides : list Z) : option Z :=
  match p with
  | Bishop => if forallb (Z.eqb 1) sides then Some (volume sides) else None
  | _ => Some (lines_bound sides)
  end.

Definition shown_by_cut (ls : lemmas) (sides : list Z) (axis width : list Z) : option Z :=
  match axis_of axis sides, number width with
  | Some a, Some w =>
      if (0 <? w) && (w <? nth a sides 0) then
        match bound_of ls (map snd (with_axis a (0, w) (whole sides))),
              bound_of ls (map snd (with_axis a (w, nth a sides 0 - w) (whole sides))) with
        | Some m1, Some m2 => Some (m1 + m2)
        | _, _ => None
        end
      else None
  | _, _ => None
  end.

Lemma shown_by_lines_right : forall p sides m, sides <> [] -> Forall (fun n => 0 <= n) sides ->
  shown_by_lines p sides = Some m -> at_most p sides m.
Proof.
  intros p sides m Hne Hs. unfold shown_by_lines. destruct p.
  - intros [= <-]. apply at_most_lines; auto. discriminate.
  - intros [= <-]. apply at_most_lines; auto. discriminate.
  - destruct (forallb (Z.eqb 1) sides); [| discriminate]. intros [= <-]. apply at_most_volume. exact Hs.
Qed.

Lemma shown_by_cut_right : forall p ls sides axis width m, right_lemmas p ls ->
  shown_by_cut ls sides axis width = Some m -> at_most p sides m.
Proof.
  intros p ls sides axis width m H. unfold shown_by_cut.
  destruct (axis_of axis sides) as [a |] eqn:Ea; [| discriminate]. apply axis_of_less in Ea.
  destruct (number width) as [w |]; [| discriminate]. destruct ((0 <? w) && (w <? nth a sides 0)); [| discriminate].
  destruct (bound_of ls _) as [m1 |] eqn:E1; [| discriminate].
  destruct (bound_of ls (map snd (with_axis a (w, _) _))) as [m2 |] eqn:E2; [| discriminate].
  intros [= <-]. apply (at_most_cut p sides a w); [exact Ea | |]; apply (bound_of_right p ls); assumption.
Qed.

Lemma digits_nonneg : forall w n m, 0 <= n -> digits w n = Some m -> 0 <= m.
Proof.
  induction w as [| c w IH]; intros n m Hn; cbn [digits]; destruct (most_number <? n); try discriminate.
  - intros [= <-]. exact Hn.
  - destruct (digit c) eqn:E; [| discriminate]. apply IH. unfold digit in E. apply andb_prop in E.
    rewrite !Z.leb_le in E. unfold ten, zero_digit, nine_digit in *. lia.
Qed.

Lemma number_nonneg : forall w n, number w = Some n -> 0 <= n.
Proof.
  intros [| c [| d w]] n; unfold number; [discriminate | |].
  - apply digits_nonneg. lia.
  - destruct (c =? zero_digit); [discriminate |]. apply digits_nonneg. lia.
Qed.

(** Checks a line [box sides bound reason]. *)
Definition box_line (st : state) (ws : list (list Z)) : state :=
  match ws with
  | s :: n :: how =>
      match all_of positive_number (split letter_x s) [], number n with
      | Some sides, Some bound =>
          if negb (increasing sides) then failed st NotSorted else
          if negb (Nat.eqb (length sides) (length (on_sides st))) then failed st NotSides else
          let accept m :=
            match m with
            | Some m' => if m' <=? bound then with_lemma st sides bound 0 else failed st ShownMore
            | None => failed st NoLemma
            end in
          match how with
          | [w] =>
              if same w w_lines then
                if Nat.eqb (length sides) 0 then failed st NotSides else
                if forallb (Z.leb 0) sides then accept (shown_by_lines (on_piece st) sides) else failed st NotSides
              else if same w w_search then with_mode st (AtOrder sides (Bound bound))
              else failed st NotBox
          | [w; axis; width] =>
              if same w w_cut then accept (shown_by_cut (shown st) sides axis width) else failed st NotBox
          | _ => failed st NotBox
          end
      | None, _ => failed st NotSides
      | _, None => failed st NotBound
      end
  | _ => failed st NotBox
  end.

Lemma box_line_right : forall st ws, right st -> right (box_line st ws).
Proof.
  intros st ws H. pose proof H as [Hs _]. pose proof Hs as [Hl _]. unfold box_line.
  assert (forall sides bound m, (forall m', m = Some m' -> at_most (on_piece st) sides m') ->
            right (match m with
                   | Some m' => if m' <=? bound then with_lemma st sides bound 0 else failed st ShownMore
                   | None => failed st NoLemma end)) as Haccept.
  { intros sides bound [m |] Hm; [| apply right_failed; exact H].
    destruct (Z.leb_spec m bound); [| apply right_failed; exact H].
    apply right_with_lemma; [exact H |]. apply (at_most_weaker _ _ m); auto. }
  destruct ws as [| s [| n how]]; try (apply right_failed; exact H).
  destruct (all_of positive_number (split letter_x s) []) as [sides |]; [| apply right_failed; exact H].
  destruct (number n) as [bound |] eqn:En; [| apply right_failed; exact H].
  destruct (negb (increasing sides)); [apply right_failed; exact H |].
  destruct (negb (Nat.eqb (length sides) (length (on_sides st)))); [apply right_failed; exact H |].
  destruct how as [| w [| axis [| width [| ? ?]]]]; try (apply right_failed; exact H).
  - destruct (same w w_lines).
    + destruct (Nat.eqb_spec (length sides) 0) as [| Hne]; [apply right_failed; exact H |].
      destruct (forallb (Z.leb 0) sides) eqn:E0; [| apply right_failed; exact H].
      apply Haccept. intros m' Hm. apply shown_by_lines_right in Hm; [exact Hm | |].
      * intros ->. apply Hne. reflexivity.
      * apply Forall_forall. rewrite forallb_forall in E0. intros x Hx. apply Z.leb_le. apply E0. exact Hx.
    + destruct (same w w_search); [| apply right_failed; exact H]. split; [exact Hs | apply (number_nonneg n); exact En].
  - destruct (same w w_cut); [| apply right_failed; exact H].
    apply Haccept. intros m' Hm. apply (shown_by_cut_right _ (shown st) _ axis width); assumption.
Qed.

(** * Slabs *)

Definition whole_board (b : board) (sides : list Z) (k : Z) : region :=
  {| extent := whole sides; squares_in := such_that b (fun _ => true); demand_of := k |}.

Definition slab (b : board) (sides : list Z) (a : nat) (from to m : Z) : region :=
  {| extent := with_axis a (from, to - from + 1) (whole sides); squares_in := such_that b (slab_test a from to); demand_of := m |}.

Lemma with_axis_outside : forall a q r, (length r <= a)%nat -> with_axis a q r = r.
Proof.
  induction a as [| a IH]; intros q [| c r] H; simpl in *; try reflexivity; try lia. f_equal. apply IH. lia.
Qed.

Lemma slab_lies_in : forall p o sides b a from to m, make_board p o sides = Some b -> lies_in b (slab b sides a from to m).
Proof.
  intros p o sides b a from to m Hb x Hx H. simpl in *. rewrite (mem_such_that_eq p o sides b Hb) in H by exact Hx.
  unfold slab_test in H. apply andb_prop in H. rewrite !Z.leb_le in H.
  assert (inside (whole sides) (at_ b x)) as Hin by (apply inside_whole, (at_on_board p o sides b Hb); exact Hx).
  destruct (Nat.leb_spec (length (whole sides)) a) as [Hle | Hlt]; [rewrite with_axis_outside; assumption |].
  apply inside_with_axis; auto. lia.
Qed.

Definition order_line (st : state) (sides : list Z) (g : goal) (ws : list (list Z)) : state :=
  match ws with
  | [w; name] =>
      let o := if same name w_lexicographic then Some Lexicographic
               else if same name w_morton then Some Morton else None in
      match o with
      | Some o' =>
          if negb (same w w_order) then failed st NotOrder else
          if 4096 <? volume sides then failed st BoardTooLarge else
          if most_number <? asked g then failed st NumberTooLarge else
          match make_board (on_piece st) o' sides with
          | Some b => with_mode st (AtSlabs sides g b [whole_board b sides (asked g)])
          | None => failed st BoardTooLarge
          end
      | None => failed st NotOrder
      end
  | _ => failed st NotOrder
  end.

Lemma count_everything : forall p o sides b k S, make_board p o sides = Some b ->
  solution (problem_of b k nothing_listed [] []) S -> k <= count (mem (such_that b (fun _ => true))) S.
Proof.
  intros p o sides b k S Hb HS. pose proof HS as (_ & Hpl & _ & Hk & _). rewrite Forall_forall in Hpl.
  rewrite (count_map _ _ (fun _ => true) _ (at_ b)).
  - assert (forall l : list square, count (fun _ => true) l = Z.of_nat (length l)) as G.
    { induction l as [| x l IH]; [reflexivity |]. rewrite count_cons, IH. simpl length. lia. }
    rewrite G, map_length, Hk. reflexivity.
  - intros x Hx. rewrite (mem_such_that_eq p o sides b Hb); [reflexivity | apply Hpl; exact Hx].
Qed.

Lemma order_line_right : forall st sides g ws, right st -> right_goal (on_piece st) (on_sides st) sides g ->
  right (order_line st sides g ws).
Proof.
  intros st sides g ws H Hg. unfold order_line.
  destruct ws as [| w [| name [| ? ?]]]; try (apply right_failed; exact H).
  destruct (if same name w_lexicographic then _ else _) as [o |]; [| apply right_failed; exact H].
  destruct (negb (same w w_order)); [apply right_failed; exact H |].
  destruct (4096 <? volume sides); [apply right_failed; exact H |].
  destruct (most_number <? asked g); [apply right_failed; exact H |].
  destruct (make_board (on_piece st) o sides) as [b |] eqn:E; [| apply right_failed; exact H].
  split; [exact (proj1 H) |]. split; [exists o; exact E | split; [exact Hg |]].
  intros r [<- | []]. split.
  - intros x Hx _. apply inside_whole, (at_on_board (on_piece st) o sides b E). exact Hx.
  - intros S HS. apply (count_everything (on_piece st) o sides); assumption.
Qed.

Definition range_of (w : list Z) : option (Z * Z) :=
  match split minus w with
  | [a; b] =>
      match number a, number b with
      | Some a', Some b' => if a' <=? b' then Some (a', b') else None
      | _, _ => None
      end
  | _ => None
  end.

Lemma range_of_less : forall w from to, range_of w = Some (from, to) -> from <= to.
Proof.
  intros w from to. unfold range_of. destruct (split minus w) as [| u [| v [| ? ?]]]; try discriminate.
  destruct (number u) as [n |]; [| discriminate]. destruct (number v) as [n' |]; [| discriminate].
  destruct (Z.leb_spec n n'); [| discriminate]. intros [= <- <-]. assumption.
Qed.

Definition slab_line (st : state) (sides : list Z) (g : goal) (b : board) (rs : list region) (ws : list (list Z)) : state :=
  match ws with
  | [axis; range; demand] =>
      match axis_of axis sides, range_of range, number demand with
      | Some a, Some (from, to), Some m =>
          let last := nth a sides 0 - 1 in
          if negb ((to <=? last) && ((from =? 0) || (to =? last))) then failed st SlabNotAtFace else
          match bound_of (shown st) (map snd (outside_slab sides a from to)) with
          | Some out =>
              if m <=? Z.max (asked g - out) 0
              then with_mode st (AtSlabs sides g b (rs ++ [slab b sides a from to m]))
              else failed st SlabDemandTooLarge
          | None => failed st NoLemma
          end
      | _, _, _ => failed st NotSlab
      end
  | _ => failed st NotSlab
  end.

Lemma slab_line_right : forall st sides g b rs ws, right (with_mode st (AtSlabs sides g b rs)) ->
  right (slab_line (with_mode st (AtSlabs sides g b rs)) sides g b rs ws).
Proof.
  intros st sides g b rs ws H. unfold slab_line. set (st' := with_mode st _) in *.
  destruct ws as [| axis [| range [| demand [| ? ?]]]]; try (apply right_failed; exact H).
  destruct (axis_of axis sides) as [a |] eqn:Ea; [| apply right_failed; exact H]. apply axis_of_less in Ea.
  destruct (range_of range) as [[from to] |]; [| apply right_failed; exact H].
  destruct (number demand) as [m |]; [| apply right_failed; exact H].
  destruct (to <=? nth a sides 0 - 1) eqn:E1; simpl; [| apply right_failed; exact H].
  destruct ((from =? 0) || (to =? nth a sides 0 - 1)) eqn:E2; simpl; [| apply right_failed; exact H].
  destruct (bound_of (shown st) _) as [out |] eqn:Eo; [| apply right_failed; exact H].
  destruct (Z.leb_spec m (Z.max (asked g - out) 0)) as [Hm |]; [| apply right_failed; exact H].
  destruct H as (Hs & (o & Ho) & H0 & Hr). pose proof Hs as [Hl _]. split; [exact Hs |]. split; [exists o; exact Ho | split; [exact H0 |]].
  intros q Hin. apply in_app_or in Hin. destruct Hin as [Hin | [<- | []]]; [apply (Hr q Hin) |].
  split; [apply (slab_lies_in (on_piece st) o sides b); exact Ho |]. intros S HS. simpl.
  apply orb_prop in E2. rewrite !Z.eqb_eq in E2.
  pose proof (count_slab (on_piece st) o sides b Ho (asked g) nothing_listed [] [] S a from to out HS Ea E2
                (bound_of_right _ _ _ _ Hl Eo)) as Hcount.
  assert (0 <= count (mem (such_that b (slab_test a from to))) S) by (unfold count; lia). lia.
Qed.

(** * Nodes *)

Lemma right_demands : forall b sides g all case, right_regions b (problem_for sides b g all case) all ->
  demands (problem_for sides b g all case).
Proof.
  intros b sides g all case H n S HS. unfold get. simpl. unfold table_of.
  assert (0 <= count (mem 0) S) as H0 by (unfold count; lia).
  destruct (n <? 0); [exact H0 |].
  destruct (nth_in_or_default (Z.to_nat n) (demands_of all) (0, 0)) as [Hin | ->]; [| exact H0].
  apply in_map_iff in Hin. destruct Hin as (r & E & Hin). rewrite <- E. simpl. apply (H r Hin). exact HS.
Qed.

Lemma right_all : forall p o sides b g rs case parts, make_board p o sides = Some b ->
  right_regions b (problem_of b (asked g) nothing_listed [] []) rs -> Forall (right_assumption b) case ->
  right_regions b (problem_for sides b g rs case) parts ->
  right_regions b (problem_for sides b g rs case) (all_regions sides rs case parts).
Proof.
  intros p o sides b g rs case parts Hb Hrs Hcase Hparts r Hin. apply in_app_or in Hin. destruct Hin as [Hin | Hin].
  - destruct (Hrs r Hin) as [Hl Hd]. split; [exact Hl |]. intros S HS. apply Hd.
    apply (fewer_solutions b (asked g) (listed_for sides b g) (demands_of rs) [] (assumed_of case)). exact HS.
  - apply in_app_or in Hin. destruct Hin as [Hin | Hin]; [| apply Hparts; exact Hin].
    apply in_map_iff in Hin. destruct Hin as (h & <- & Hin). rewrite Forall_forall in Hcase. destruct (Hcase h Hin) as [_ Hmask].
    split.
    + pose proof (slab_lies_in p o sides b (axis_along h) (first (layers_in h)) (last (layers_in h)) (least (layers_in h)) Hb) as G.
      intros x Hx Hm. apply (G x Hx). simpl in *. rewrite <- Hmask. exact Hm.
    + intros S (_ & _ & _ & _ & Has & _). apply Has. apply in_map_iff. exists h. auto.
Qed.

Inductive ran :=
  | Ran (p : progress) (nodes : Z)
  | Stopped (f : fault).

Definition after_step (o : outcome) (n : Z) (go : progress -> Z -> ran) : ran :=
  match o with
  | Next p => go p (n + 1)
  | Satisfied => Stopped RegionSatisfied
  | Uncovered => Stopped NotCovered
  end.

(** Reads the nodes of a line in order. [region] is the number of a region that was read so far, if any. *)
Fixpoint run (pb : problem) (line : list Z) (region : option Z) (p : progress) (n : Z) : ran :=
  match line with
  | [] =>
      match region with
      | None => Ran p n
      | Some _ => Stopped NoRegionLetter
      end
  | c :: line' =>
      match p with
      | Done => Stopped TreeEnds
      | NotFree => Stopped ChildNotFree
      | At P F stack =>
          let go r reversed := after_step (first_fit_step pb r reversed P F stack) n (run pb line' None) in
          match region with
          | None =>
              if (small_a <=? c) && (c <=? small_z) then go (c - small_a) false
              else if (capital_a <=? c) && (c <=? capital_z) then go (c - capital_a) true
              else if c =? full_stop then
                match listed_step pb P F stack with
                | Some q => run pb line' None q (n + 1)
                | None => Stopped NotListed
                end
              else if (one_digit <=? c) && (c <=? nine_digit) then run pb line' (Some (c - zero_digit)) p n
              else Stopped NoRegionLetter
          | Some r =>
              if digit c then if most_number <? r then Stopped NoRegionLetter else run pb line' (Some (ten * r + (c - zero_digit))) p n
              else if r <? letters then Stopped NoRegionLetter
              else if c =? plus then go r false
              else if c =? minus then go r true
              else Stopped NoRegionLetter
          end
      end
  end.

Lemma run_right : forall pb, demands pb -> sound_listing pb -> forall line region p n q m, invariant pb p ->
  run pb line region p n = Ran q m -> invariant pb q.
Proof.
  intros pb Hd Hw. induction line as [| c line IH]; intros region p n q m Hp; simpl.
  - destruct region; [discriminate |]. intros [= <- _]. exact Hp.
  - destruct p as [P F stack | |]; try discriminate.
    assert (forall r reversed, after_step (first_fit_step pb r reversed P F stack) n (run pb line None) = Ran q m ->
              invariant pb q) as Hgo.
    { intros r reversed. pose proof (first_fit_sound pb r reversed P F stack Hd Hp) as Hs.
      destruct (first_fit_step pb r reversed P F stack) as [p' | |]; simpl; try discriminate. apply IH. exact Hs. }
    destruct region as [r |].
    + destruct (digit c); [destruct (most_number <? r); [discriminate | apply IH; exact Hp] |].
      destruct (r <? letters); [discriminate |]. destruct (c =? plus); [apply Hgo |]. destruct (c =? minus); [apply Hgo | discriminate].
    + destruct ((small_a <=? c) && (c <=? small_z)); [apply Hgo |]. destruct ((capital_a <=? c) && (c <=? capital_z)); [apply Hgo |].
      destruct (c =? full_stop).
      { destruct (listed_step pb P F stack) as [p' |] eqn:E; [| discriminate]. apply IH. apply (listed_sound pb P F stack p'); assumption. }
      destruct ((one_digit <=? c) && (c <=? nine_digit)); [apply IH; exact Hp | discriminate].
Qed.

Fixpoint until_slash (ws : list (list Z)) (acc : list (list Z)) : option (list (list Z) * list (list Z)) :=
  match ws with
  | [] => None
  | w :: ws' => if same w [slash] then Some (rev' acc, ws') else until_slash ws' (w :: acc)
  end.

Definition square_of (b : board) (w : list Z) : option Z :=
  match number w with
  | Some n => if n <? Z.of_nat (size_of b) then Some (get (-1) (numbers b) n) else None
  | None => None
  end.

Definition full_of (pb : problem) : Z := fst (get (0, 0) (regions pb) 0).

Definition clique_of (b : board) (pb : problem) (w : list Z) : option Z :=
  match all_of (square_of b) (split comma w) [] with
  | Some vs => named pb (full_of pb) vs (full_of pb) 0
  | None => None
  end.

Lemma clique_of_clique : forall b pb w c, clique_of b pb w = Some c -> is_clique pb c.
Proof.
  intros b pb w c. unfold clique_of. destruct (all_of _ _ _) as [vs |]; [| discriminate].
  apply named_clique; [apply (empty_clique pb 0) | apply empty_clique].
Qed.

Fixpoint cuboid_of (sides : list Z) (ws : list (list Z)) : option cuboid :=
  match sides, ws with
  | [], [] => Some []
  | n :: sides', w :: ws' =>
      match range_of w, cuboid_of sides' ws' with
      | Some (from, to), Some r => if to <? n then Some ((from, to - from + 1) :: r) else None
      | _, _ => None
      end
  | _, _ => None
  end.

(** ** Rows of format 3 *)

(** Returns a set of places, or [None] if a place occurs twice. *)
Fixpoint distinct_set (vs : list Z) (s : Z) : option Z :=
  match vs with
  | [] => Some s
  | v :: vs' => if mem s v then None else distinct_set vs' (Z.setbit s v)
  end.

Definition cycle_of (b : board) (pb : problem) (w : list Z) : option (Z * Z) :=
  match all_of (square_of b) (split comma w) [] with
  | Some (v :: vs) =>
      let related x y := mem (adj pb x) y in
      if (3 <=? Z.of_nat (length (v :: vs))) && Z.odd (Z.of_nat (length (v :: vs))) && forallb (placeb pb) (v :: vs) &&
         closes related v v vs then
        match distinct_set (v :: vs) 0 with
        | Some _ => Some (set_of (v :: vs), (Z.of_nat (length (v :: vs)) - 1) / 2)
        | None => None
        end
      else None
  | _ => None
  end.

(** Parses the corner, the sides and the stride of a box that lies on the board. *)
Definition place_of (b : board) (corner box stride : list Z) : option (list Z * list Z * Z) :=
  match all_of small_number (split comma corner) [], all_of small_number (split letter_x box) [], number stride with
  | Some lo, Some e, Some t => if (1 <=? t) && fits t lo e (sides_of b) then Some (lo, e, t) else None
  | _, _, _ => None
  end.

(** Returns the parts of a [volume] or [class] row, and its right-hand side. *)
Definition classes_of (b : board) (claim : nat -> option (list Z * Z)) (place : option (list Z * list Z * Z)) : option (list (Z * Z) * Z) :=
  match place with
  | Some (lo, e, t) =>
      if of_ones_and_threes e then
        match claim (threes e) with
        | Some (weights, most) => Some (class_parts b t lo e weights, most)
        | None => None
        end
      else None
  | None => None
  end.

Definition is_queen (p : piece) : bool := match p with Queen => true | _ => false end.

(** Parses a row whose words are separated by colons. Returns its sets of places with their weights, and the
    right-hand side. *)
Definition named_row (p : piece) (ls : lemmas) (b : board) (pb : problem) (ws : list (list Z)) : option (list (Z * Z) * Z) :=
  match ws with
  | [kind; squares] =>
      if same kind w_cycle then
        match cycle_of b pb squares with
        | Some (mask, m) => Some ([(mask, 1)], m)
        | None => None
        end
      else None
  | [kind; corner; box; stride] =>
      if same kind w_box then
        match place_of b corner box stride with
        | Some (lo, e, t) =>
            match bound_of ls e with
            | Some m => Some ([(such_that b (in_lattice t lo e), 1)], m)
            | None => None
            end
        | None => None
        end
      else None
  | [kind; least; corner; box; stride] =>
      if same kind w_volume && is_queen p then classes_of b (volume_claim least) (place_of b corner box stride) else None
  | [kind; bound; weights; corner; box; stride] =>
      if same kind w_class && is_queen p then classes_of b (class_claim bound weights) (place_of b corner box stride) else None
  | _ => None
  end.

Definition right_parts (pb : problem) (parts : list (Z * Z)) (m : Z) : Prop :=
  Forall (fun q => 0 <= snd q) parts /\
  forall S, solution pb S -> fold_right (fun q n => snd q * count (mem (fst q)) S + n) 0 parts <= m.

Lemma place_of_right : forall b corner box stride lo e t, place_of b corner box stride = Some (lo, e, t) ->
  1 <= t /\ length lo = length e /\ Forall (fun n => 1 <= n) e.
Proof.
  intros b corner box stride lo e t H. unfold place_of in H. destruct (all_of small_number (split comma corner) []) as [lo' |]; [| discriminate].
  destruct (all_of small_number (split letter_x box) []) as [e' |]; [| discriminate]. destruct (number stride) as [t' |]; [| discriminate].
  destruct (_ && _) eqn:E; [| discriminate]. injection H as -> -> ->. apply andb_prop in E. destruct E as [Ht Hf].
  apply Z.leb_le in Ht. destruct (fits_length _ _ _ _ Hf) as (H1 & _ & H2). auto.
Qed.

Lemma cycle_of_right : forall b pb w mask m, cycle_of b pb w = Some (mask, m) -> right_parts pb [(mask, 1)] m.
Proof.
  intros b pb w mask m H. unfold cycle_of in H. destruct (all_of _ _ _) as [[| v vs] |]; try discriminate.
  destruct (_ && _) eqn:E; [| discriminate]. apply andb_prop in E. destruct E as [E Hc].
  apply andb_prop in E. destruct E as [E Hv]. apply andb_prop in E. destruct E as [_ Hodd]. apply Z.odd_spec in Hodd. destruct Hodd as [h Hodd].
  destruct (distinct_set _ _); [| discriminate].
  assert (mask = set_of (v :: vs) /\ m = (Z.of_nat (length (v :: vs)) - 1) / 2) as [-> ->] by (split; congruence). clear H.
  split; [constructor; [simpl; lia | constructor] |]. intros T (Hnd & Hpl & Hat & _). cbn [fold_right fst snd].
  set (f := fun x => if among T x then 1 else 0).
  assert (2 * total f (v :: vs) <= Z.of_nat (length (v :: vs))) as G.
  { pose proof (cycle_most Z (fun x y => mem (adj pb x) y) f) as C. cbn [total fold_right length] in *.
    fold (total f vs) in *. rewrite Nat2Z.inj_succ.
    enough (f v + 2 * total f vs + f v <= Z.of_nat (length vs) + 1) by lia. apply C; [| | exact Hc].
    - intro x. unfold f. destruct (among T x); lia.
    - intros x y Hxy. unfold f. destruct (among T x) eqn:Ex; destruct (among T y) eqn:Ey; try lia.
      apply among_In in Ex. apply among_In in Ey. rewrite (Hat x y Ex Ey) in Hxy. discriminate. }
  assert (count (mem (set_of (v :: vs))) T <= total f (v :: vs)) as L.
  { unfold f. rewrite <- total_filter, total_constant, Z.mul_1_r. unfold count. apply inj_le. apply NoDup_incl_length.
    - apply NoDup_filter. exact Hnd.
    - intros x Hx. apply filter_In in Hx. destruct Hx as [Hx Hm]. apply filter_In. split; [| apply among_In; exact Hx].
      apply mem_set_of in Hm; [exact Hm |]. intros y Hy. rewrite forallb_forall in Hv. apply Hv in Hy. apply placeb_place in Hy.
      destruct Hy. assumption. }
  enough (count (mem (set_of (v :: vs))) T <= (Z.of_nat (length (v :: vs)) - 1) / 2) by lia.
  apply Z.div_le_lower_bound; [lia |]. cbn [length] in *. lia.
Qed.

Lemma classes_of_right : forall o sides b k l rs given claim place parts m, make_board Queen o sides = Some b ->
  right_weight_claim claim -> (forall lo e t, place = Some (lo, e, t) -> 1 <= t /\ length lo = length e /\ Forall (fun n => 1 <= n) e) ->
  classes_of b claim place = Some (parts, m) -> right_parts (problem_of b k l rs given) parts m.
Proof.
  intros o sides b k l rs given claim [[[lo e] t] |] parts m Hb Hclaim Hplace H; [| discriminate]. unfold classes_of in H.
  destruct (of_ones_and_threes e) eqn:Et; [| discriminate]. destruct (claim (threes e)) as [[weights most] |] eqn:Ec; [| discriminate].
  injection H as <- <-. destruct (Hplace lo e t eq_refl) as (Ht & Hl & H1). destruct (Hclaim _ _ _ Ec) as [Hw0 Hw]. split.
  - apply Forall_forall. intros q Hq. apply in_map_iff in Hq. destruct Hq as (j & <- & _). apply Hw0.
  - intros S HS. apply (count_classes Queen o sides b Hb k l rs given); auto.
Qed.

Lemma named_row_right : forall p o sides ls b k l rs given ws parts m, make_board p o sides = Some b -> right_lemmas p ls ->
  named_row p ls b (problem_of b k l rs given) ws = Some (parts, m) -> right_parts (problem_of b k l rs given) parts m.
Proof.
  intros p o sides ls b k l rs given ws parts m Hb Hls H. unfold named_row in H.
  destruct ws as [| kind [| x1 [| x2 [| x3 [| x4 [| x5 [| ? ?]]]]]]]; try discriminate.
  - destruct (same kind w_cycle); [| discriminate]. destruct (cycle_of _ _ _) as [[mask most] |] eqn:E; [| discriminate].
    injection H as <- <-. apply (cycle_of_right b _ x1). exact E.
  - destruct (same kind w_box); [| discriminate]. destruct (place_of _ _ _ _) as [[[lo e] t] |] eqn:E; [| discriminate].
    destruct (bound_of ls e) as [most |] eqn:Em; [| discriminate]. injection H as <- <-.
    destruct (place_of_right _ _ _ _ _ _ _ E) as (Ht & Hl & _). split; [constructor; [simpl; lia | constructor] |].
    intros S HS. cbn [fold_right fst snd].
    pose proof (count_lattice p o sides b Hb k l rs given S t lo e most HS Ht Hl (bound_of_right p ls e most Hls Em)). lia.
  - destruct (same kind w_volume); [| discriminate]. destruct p; try discriminate. cbn [andb is_queen] in H.
    apply (classes_of_right o sides b k l rs given (volume_claim x1) _ _ _ Hb (volume_claim_right x1)) in H; [exact H |].
    intros lo e t E. apply (place_of_right _ _ _ _ _ _ _ E).
  - destruct (same kind w_class); [| discriminate]. destruct p; try discriminate. cbn [andb is_queen] in H.
    apply (classes_of_right o sides b k l rs given (class_claim x1 x2) _ _ _ Hb (class_claim_right x1 x2)) in H; [exact H |].
    intros lo e t E. apply (place_of_right _ _ _ _ _ _ _ E).
Qed.

Definition row_of (p : piece) (rows_too : bool) (ls : lemmas) (b : board) (pb : problem) (w : list Z) : option row :=
  match split star w with
  | [c; r] =>
      match number c with
      | Some t =>
          if rows_too && existsb (Z.eqb colon) r then
            match named_row p ls b pb (split colon r) with
            | Some (q, m) => Some {| times := t; parts := q; most := m |}
            | None => None
            end
          else if existsb (Z.eqb minus) r then
            match cuboid_of (sides_of b) (split letter_x r) with
            | Some q =>
                match bound_of ls (map snd q) with
                | Some m => Some {| times := t; parts := [(such_that b (insideb q), 1)]; most := m |}
                | None => None
                end
            | None => None
            end
          else
            match clique_of b pb r with
            | Some mask => Some {| times := t; parts := [(mask, 1)]; most := 1 |}
            | None => None
            end
      | None => None
      end
  | _ => None
  end.

Lemma row_of_right : forall p o sides rows_too ls b k l rs given w r, make_board p o sides = Some b -> right_lemmas p ls ->
  row_of p rows_too ls b (problem_of b k l rs given) w = Some r -> sound_row (problem_of b k l rs given) r.
Proof.
  intros p o sides rows_too ls b k l rs given w r Hb Hl. unfold row_of.
  destruct (split star w) as [| c [| q [| ? ?]]]; try discriminate.
  destruct (number c) as [t |] eqn:Et; [| discriminate]. apply number_nonneg in Et.
  destruct (rows_too && _).
  { destruct (named_row _ _ _ _ _) as [[ps m] |] eqn:En; [| discriminate]. intros [= <-].
    destruct (named_row_right p o sides ls b k l rs given _ ps m Hb Hl En) as [Hps Hm]. split; [exact Et | split; [exact Hps | exact Hm]]. }
  destruct (existsb (Z.eqb minus) q).
  - destruct (cuboid_of _ _) as [cub |]; [| discriminate]. destruct (bound_of ls (map snd cub)) as [m |] eqn:Em; [| discriminate].
    intros [= <-]. split; [exact Et |]. split; [constructor; [simpl; lia | constructor] |]. intros S HS.
    unfold weighed. cbn [fold_right fst snd Trees.parts Trees.most].
    enough (count (mem (such_that b (insideb cub))) S <= m) by lia.
    apply (count_cuboid p o sides b Hb k l rs given); [exact HS |]. apply (bound_of_right p ls); assumption.
  - destruct (clique_of b _ q) as [mask |] eqn:Ec; [| discriminate]. intros [= <-]. split; [exact Et |].
    split; [constructor; [simpl; lia | constructor] |]. intros S (Hnd & _ & Hat & _).
    unfold weighed. cbn [fold_right fst snd Trees.parts Trees.most]. enough (count (mem mask) S <= 1) by lia.
    apply (one_in_clique (problem_of b k l rs given)); auto. apply (clique_of_clique b _ q). exact Ec.
Qed.

(** ** Symmetries *)

Definition entry_of (w : list Z) : option (bool * nat) :=
  let axis v := match number v with
                | Some n => if (1 <=? n) && (n <=? 64) then Some (Z.to_nat (n - 1)) else None
                | None => None
                end in
  match after [minus] w with
  | Some v => match axis v with Some a => Some (true, a) | None => None end
  | None => match axis w with Some a => Some (false, a) | None => None end
  end.

Definition signed_images (b : board) (entries : list (bool * nat)) : list Z :=
  map (fun x =>
    let y := map (fun '(reversed, a) => let c := nth a x 0 in if (reversed : bool) then nth a (sides_of b) 0 - 1 - c else c) entries in
    if insideb (whole (sides_of b)) y then get (-1) (numbers b) (number_of (sides_of b) y) else -1) (squares b).

Definition listed_images (b : board) (ns : list Z) : list Z :=
  let t := table_of ns in
  map (fun x => get (-1) (numbers b) (get (-1) t (number_of (sides_of b) x))) (squares b).

Definition automorphism_of (b : board) (pb : problem) (w : list Z) : option automorphism :=
  let images :=
    match after [equals] w with
    | Some v =>
        match all_of number (split comma v) [] with
        | Some ns => if Nat.eqb (length ns) (size_of b) then Some (listed_images b ns) else None
        | None => None
        end
    | None =>
        match all_of entry_of (split comma w) [] with
        | Some es =>
            if Nat.eqb (length es) (length (sides_of b)) && forallb (fun '(_, a) => Nat.leb (S a) (length (sides_of b))) es &&
               forallb (fun a => existsb (Nat.eqb a) (map snd es)) (seq 0 (length (sides_of b)))
            then Some (signed_images b es) else None
        | None => None
        end
    end in
  match images with
  | Some l =>
      let g := {| image := table_of l; preimage := table_of (inverse l) |} in
      if automorphismb pb (neighbours b) (count_up (size_of b) 0) g then Some g else None
  | None => None
  end.

Fixpoint find_known (w : list Z) (known : list (list Z * automorphism)) : option automorphism :=
  match known with
  | [] => None
  | (v, g) :: known' => if same v w then Some g else find_known w known'
  end.

(** Returns the symmetries with these names, and all known symmetries including them. *)
Fixpoint resolve (b : board) (pb : problem) (ws : list (list Z)) (known : list (list Z * automorphism)) (acc : list automorphism) :
    option (list (list Z * automorphism) * list automorphism) :=
  match ws with
  | [] => Some (known, acc)
  | w :: ws' =>
      match find_known w known with
      | Some g => resolve b pb ws' known (g :: acc)
      | None =>
          match automorphism_of b pb w with
          | Some g => resolve b pb ws' ((w, g) :: known) (g :: acc)
          | None => None
          end
      end
  end.

Lemma resolve_right : forall p o sides b k w rs given ws known acc known' gs, make_board p o sides = Some b ->
  let pb := problem_of b k w rs given in sound_listing pb ->
  sound_known pb known -> Forall (sound_automorphism pb) acc ->
  resolve b pb ws known acc = Some (known', gs) -> sound_known pb known' /\ Forall (sound_automorphism pb) gs.
Proof.
  intros p o sides b k w rs given ws known acc known' gs Hb pb Hw. revert known acc.
  induction ws as [| v ws IH]; intros known acc Hk Ha; simpl.
  - intros [= <- <-]. auto.
  - destruct (find_known v known) as [g |] eqn:E.
    + apply IH; [exact Hk |]. constructor; [| exact Ha]. clear -Hk E.
      induction Hk as [| [u h] known Hh Hk IHk]; simpl in E; [discriminate |].
      destruct (same u v); [injection E as <-; exact Hh | auto].
    + destruct (automorphism_of b pb v) as [g |] eqn:Eg; [| discriminate].
      assert (sound_automorphism pb g) as Hg.
      { unfold automorphism_of in Eg. destruct (match after [equals] v with Some _ => _ | None => _ end) as [l |]; [| discriminate].
        destruct (automorphismb pb _ _ _) eqn:Et; [| discriminate]. injection Eg as <-.
        apply (automorphismb_board p o sides b Hb); assumption. }
      apply IH; constructor; assumption.
Qed.

(** ** Splits into cases *)

(** Returns the state after the last node of a tree, with the result of the tree. *)
Definition shows (st : state) (sides : list Z) (g : goal) (n : Z) : state :=
  match g with
  | Bound bound => with_lemma st sides bound n
  | Sets k found => with_count st k (Z.of_nat (length found)) n
  end.

Lemma shows_right : forall st sides g b rs n, right st -> right_tree (on_piece st) (on_sides st) sides g b rs ->
  ~ some_solution (problem_for sides b g rs []) -> right (shows st sides g n).
Proof.
  intros st sides [bound | k found] b rs n H ((o & Ho) & Hg & _) Hno; simpl.
  - apply right_with_lemma; [exact H |]. apply (refuted_at_most (on_piece st) o sides b Ho bound (demands_of rs) Hg). exact Hno.
  - destruct Hg as (-> & Hf & Hnd & _). apply right_with_count; [exact H |]. exists (map fst found).
    pose proof Hf as Hall. unfold right_found in Hall. rewrite Forall_forall in Hall. split; [| split; [| split]].
    + rewrite map_length. reflexivity.
    + intros S HS. apply in_map_iff in HS. destruct HS as ([A key] & <- & HA). destruct (Hall _ HA) as (H1 & H2 & _). auto.
    + intros i j A B HA HB HAB. rewrite nth_error_map in HA, HB.
      destruct (nth_error found i) as [[A' key] |] eqn:EA; [| discriminate]. injection HA as ->.
      destruct (nth_error found j) as [[B' key'] |] eqn:EB; [| discriminate]. injection HB as ->.
      destruct (Hall _ (nth_error_In _ _ EA)) as ((_ & Hon & _) & _ & Hkey). destruct (Hall _ (nth_error_In _ _ EB)) as (_ & _ & Hkey').
      rewrite NoDup_nth_error in Hnd. apply Hnd.
      * rewrite map_length. apply nth_error_Some. rewrite EA. discriminate.
      * rewrite !nth_error_map, EA, EB. simpl. rewrite Hkey, Hkey'. f_equal.
        apply square_key_permutation; assumption.
    + intros S HS Hk. apply (refuted_others (on_piece st) o (on_sides st) b Ho k (demands_of rs) found S); assumption.
Qed.

Lemma listed_for_sound : forall p o on sides b g rs given, make_board p o sides = Some b -> right_goal p on sides g ->
  sound_listing (problem_of b (asked g) (listed_for sides b g) rs given).
Proof.
  intros p o on sides b [bound | k found] rs given Hb Hg.
  - split; [intros l [] |]. intros P _ H. apply is_listed_In in H. destruct H.
  - destruct Hg as (<- & Hf & _). apply (listing_of_sound p o sides b Hb (asked (Sets k found)) k). exact Hf.
Qed.

(** Starts the next case, or ends the tree if there is none. *)
Definition next_case (st : state) (sides : list Z) (g : goal) (b : board) (rs : list region)
    (known : list (list Z * automorphism)) (todo : list (list assumption)) (n : Z) : state :=
  match todo with
  | [] => shows st sides g n
  | case :: todo' => with_nodes st n (AtCase sides g b rs known case [] todo')
  end.

Lemma next_case_right : forall st sides g b rs known todo n, right st -> right_tree (on_piece st) (on_sides st) sides g b rs ->
  sound_known (problem_for sides b g rs []) known -> cases_left sides b g rs todo ->
  right (next_case st sides g b rs known todo n).
Proof.
  intros st sides g b rs known [| case todo] n H Ht Hk Hc; simpl.
  - apply (shows_right st sides g b rs); [exact H | exact Ht |]. intro Hs. destruct Hc as [_ Hc]. specialize (Hc Hs). inversion Hc.
  - split; [exact (proj1 H) |]. split; [exact Ht | split; [exact Hk | split; [exact Hc |]]]. intros r [].
Qed.

(** Parses layers and a demand. The layers must not be all layers of the box. *)
Definition range_from (side : Z) (layers demand : list Z) : option range :=
  match range_of layers, number demand with
  | Some (from, to), Some m =>
      if (from <=? to) && (to <? side) && negb ((from =? 0) && (to =? side - 1)) && (1 <=? m)
      then Some {| first := from; last := to; least := m |} else None
  | _, _ => None
  end.

(** Parses cases, each of which follows a slash. [current] and [cases] contain the ranges of the current case
    and the cases before it, the last one first. *)
Fixpoint cases_from (side : Z) (ws : list (list Z)) (current : list range) (cases : list (list range)) : option (list (list range)) :=
  match ws with
  | [] => match current with [] => None | _ => Some (rev (rev current :: cases)) end
  | w :: ws' =>
      if same w [slash] then
        match current with
        | [] => None
        | _ => cases_from side ws' [] (rev current :: cases)
        end
      else
        match ws' with
        | [] => None
        | demand :: ws'' =>
            match range_from side w demand with
            | Some r => cases_from side ws'' (r :: current) cases
            | None => None
            end
        end
  end.

Definition proper (r : range) : Prop := first r <= last r.

Lemma cases_from_proper : forall fuel side ws current cases all, (length ws <= fuel)%nat ->
  Forall proper current -> Forall (Forall proper) cases ->
  cases_from side ws current cases = Some all -> Forall (Forall proper) all.
Proof.
  induction fuel as [| fuel IH]; intros side [| w ws] current cases all Hf Hcur Hcs H; simpl in Hf; try lia; cbn [cases_from] in H.
  1, 2: destruct current as [| r current]; [discriminate |];
    assert (all = rev (rev (r :: current) :: cases)) as -> by congruence; apply Forall_rev; constructor; [apply Forall_rev; exact Hcur | exact Hcs].
  destruct (same w [slash]).
  - destruct current as [| r current]; [discriminate |].
    apply (IH side ws [] (rev (r :: current) :: cases)); [lia | constructor | | exact H].
    constructor; [apply Forall_rev; exact Hcur | exact Hcs].
  - destruct ws as [| demand ws]; [discriminate |].
    destruct (range_from side w demand) as [r |] eqn:E; [| discriminate].
    apply (IH side ws (r :: current) cases); [simpl in Hf; lia | | exact Hcs | exact H].
    constructor; [| exact Hcur]. unfold range_from in E. destruct (range_of w) as [[from to] |]; [| discriminate].
    destruct (number demand) as [m |]; [| discriminate]. destruct (Z.leb_spec from to) as [Hle |]; [| discriminate].
    destruct (_ && _ && _) in E; [| discriminate]. injection E as <-. exact Hle.
Qed.

(** Returns the bounds of 1, 2, ... layers, except all layers, where they were proved. *)
Definition layer_bounds (ls : lemmas) (sides : list Z) (a : nat) : list (option Z) :=
  map (fun w => bound_of ls (map snd (with_axis a (0, w) (whole sides)))) (count_up (Z.to_nat (nth a sides 0 - 1)) 1).

Lemma layer_bounds_right : forall p ls sides a w m, right_lemmas p ls -> nth w (layer_bounds ls sides a) None = Some m ->
  at_most p (map snd (with_axis a (0, Z.of_nat w + 1) (whole sides))) m.
Proof.
  intros p ls sides a w m Hl. unfold layer_bounds.
  assert (forall count from w, nth w (map (fun w => bound_of ls (map snd (with_axis a (0, w) (whole sides)))) (count_up count from)) None = Some m ->
            bound_of ls (map snd (with_axis a (0, from + Z.of_nat w) (whole sides))) = Some m) as G.
  { induction count as [| count IH]; intros from [| v] E; simpl in E; try discriminate.
    - rewrite Z.add_0_r. exact E.
    - apply IH in E. replace (from + Z.of_nat (S v)) with (from + 1 + Z.of_nat v) by lia. exact E. }
  intro E. apply G in E. rewrite Z.add_comm in E. apply (bound_of_right p ls); assumption.
Qed.

(** Returns the reflection along an axis. *)
Definition reflection (b : board) (a : nat) : automorphism :=
  let images := table_of (signed_images b (map (fun i => (Nat.eqb i a, i)) (seq 0 (length (sides_of b))))) in
  {| image := images; preimage := images |}.

(** Returns [true] if the reflection is a symmetry, preserves the assumptions, and reverses the layers. *)
Definition reflects (b : board) (pb : problem) (a : nat) : bool :=
  let g := reflection b a in
  let all := count_up (size_of b) 0 in
  automorphismb pb (neighbours b) all g && keeps_assumed pb g &&
  forallb (fun x => nth a (at_ b (pre g x)) 0 =? nth a (sides_of b) 0 - 1 - nth a (at_ b x) 0) all.

(** Maximum number of steps of all case splits of a file together. *)
Definition most_steps : Z := Eval compute in 2 ^ 24.

(** Maximum number of squares of a list, those of all sets together. *)
Definition most_listed : Z := Eval compute in 2 ^ 26.

Definition assume (b : board) (a : nat) (r : range) : assumption :=
  {| axis_along := a; layers_in := r; mask_of := such_that b (slab_test a (first r) (last r)) |}.

(** Checks a line [layers axis mirrored / cases], without its first word. *)
Definition layers_line (st : state) (sides : list Z) (g : goal) (b : board) (rs : list region) (known : list (list Z * automorphism))
    (case : list assumption) (todo : list (list assumption)) (ws : list (list Z)) : state :=
  match ws with
  | axis :: ws1 =>
      match axis_of axis sides with
      | Some a =>
          let side := nth a sides 0 in
          let (mirrored, ws2) :=
            match ws1 with
            | w :: ws' => if same w w_mirrored then (true, ws') else (false, ws1)
            | [] => (false, [])
            end in
          match ws2 with
          | w :: ws3 =>
              if negb (same w [slash]) then failed st NotLayers else
              match cases_from side ws3 [] [] with
              | Some cases =>
                  match layer_bounds (shown st) sides a with
                  | Some _ :: _ =>
                      if mirrored && negb (reflects b (problem_for sides b g rs case) a) then failed st NotMirrored else
                      let own := map layers_in (filter (fun h => Nat.eqb (axis_along h) a) case) in
                      let either := if mirrored then cases ++ map (map (turned side)) cases else cases in
                      match all_satisfied (asked g) (layer_bounds (shown st) sides a) own either (Z.to_nat side) 0 [0]
                              (most_steps - steps_seen st) with
                      | Some rest => next_case (with_steps st (most_steps - rest)) sides g b rs known (map (fun rs => case ++ map (assume b a) rs) cases ++ todo) 0
                      | None =>
                          match snd (obstacle (asked g) (layer_bounds (shown st) sides a) own either (Z.to_nat side) 0 [0]
                                       (most_steps - steps_seen st)) with
                          | Some true => failed st TooManySteps
                          | _ => failed st NotSplit
                          end
                      end
                  | _ => failed st NoLemma
                  end
              | None => failed st NotLayers
              end
          | [] => failed st NotLayers
          end
      | None => failed st NotLayers
      end
  | [] => failed st NotLayers
  end.

Lemma in_assumed_of : forall case R m, In (R, m) (assumed_of case) -> exists h, In h case /\ R = mask_of h /\ m = least (layers_in h).
Proof. intros case R m H. apply in_map_iff in H. destruct H as (h & [= <- <-] & H). exists h. auto. Qed.

(** A solution that satisfies a new case is a solution of that case. *)
Lemma split_open : forall sides b g rs case a new S, solution (problem_for sides b g rs case) S ->
  (forall h, In h new -> least h <= count (mem (such_that b (slab_test a (first h) (last h)))) S) ->
  some_solution (problem_for sides b g rs (case ++ map (assume b a) new)).
Proof.
  intros sides b g rs case a new S (Hnd & Hpl & Hat & Hk & Has & Hun) H. exists S.
  split; [| split; [| split; [| split; [| split]]]]; try assumption.
  intros R m HR. simpl in HR. unfold assumed_of in HR. rewrite map_app in HR. apply in_app_or in HR.
  destruct HR as [HR | HR]; [apply Has; exact HR |].
  apply in_assumed_of in HR. destruct HR as (h & Hh & -> & ->). apply in_map_iff in Hh. destruct Hh as (r & <- & Hr). apply H. exact Hr.
Qed.

Lemma reflected_count : forall p o sides b pb a S from to, make_board p o sides = Some b -> size pb = size_of b ->
  reflects b pb a = true -> Forall (place pb) S ->
  count (mem (such_that b (slab_test a (nth a sides 0 - 1 - to) (nth a sides 0 - 1 - from)))) S
  = count (mem (such_that b (slab_test a from to))) (map (pre (reflection b a)) S).
Proof.
  intros p o sides b pb a S from to Hb Hsize H Hpl. unfold reflects in H. rewrite !andb_true_iff in H. destruct H as [[Hg _] Hr].
  rewrite forallb_forall in Hr. rewrite Forall_forall in Hpl. apply count_map. intros x Hx. specialize (Hpl x Hx).
  assert (is_place b x) as Hpx by (unfold is_place; rewrite <- Hsize; exact Hpl).
  assert (is_place b (pre (reflection b a) x)) as Hpg.
  { unfold automorphismb in Hg. apply andb_prop in Hg. destruct Hg as [Hg _]. rewrite forallb_forall in Hg. specialize (Hg x). rewrite !andb_true_iff in Hg.
    unfold is_place. rewrite <- Hsize. apply placeb_place. apply Hg. apply in_count_up. destruct Hpx. lia. }
  rewrite !(mem_such_that_eq p o sides b Hb) by assumption.
  specialize (Hr x). rewrite Z.eqb_eq in Hr. unfold slab_test. rewrite Hr by (apply in_count_up; destruct Hpx; lia).
  destruct (made_is p o sides b Hb) as (_ & -> & _).
  set (c := nth a (at_ b x) 0). set (n := nth a sides 0).
  destruct (Z.leb_spec (n - 1 - to) c), (Z.leb_spec c (n - 1 - from)), (Z.leb_spec from (n - 1 - c)), (Z.leb_spec (n - 1 - c) to);
    simpl; try reflexivity; lia.
Qed.

Lemma layers_line_right : forall st sides g b rs known case todo ws, right st ->
  right_mode (on_piece st) (on_sides st) (AtCase sides g b rs known case [] todo) ->
  right (layers_line st sides g b rs known case todo ws).
Proof.
  intros st sides g b rs known case todo ws H (Ht & Hk & (Hright & Hleft) & _). pose proof H as [[Hl _] _].
  unfold layers_line. destruct ws as [| axis ws1]; [apply right_failed; exact H |].
  destruct (axis_of axis sides) as [a |] eqn:Ea; [| apply right_failed; exact H]. apply axis_of_less in Ea.
  destruct (match ws1 with [] => _ | _ => _ end) as [mirrored [| w ws3]]; [apply right_failed; exact H |].
  destruct (negb (same w [slash])); [apply right_failed; exact H |].
  destruct (cases_from (nth a sides 0) ws3 [] []) as [cases |] eqn:Ec; [| apply right_failed; exact H].
  apply (cases_from_proper (length ws3)) in Ec; [| lia | constructor | constructor].
  destruct (layer_bounds (shown st) sides a) as [| [one |] bs] eqn:Eb; try (apply right_failed; exact H). rewrite <- Eb.
  set (pb := problem_for sides b g rs case).
  destruct (mirrored && negb (reflects b pb a)) eqn:Em; [apply right_failed; exact H |].
  destruct (all_satisfied _ _ _ _ _ _ _ _) as [r |] eqn:Es;
    [| destruct (snd (obstacle _ _ _ _ _ _ _ _)) as [[|] |]; apply right_failed; exact H].
  apply next_case_right; [apply right_with_steps; exact H | exact Ht | exact Hk |].
  inversion Hright as [| ? ? Hcase Htodo]; subst.
  rewrite Forall_forall in Ec. split.
  - apply Forall_app. split; [| exact Htodo]. apply Forall_forall. intros new Hnew. apply in_map_iff in Hnew.
    destruct Hnew as (ranges & <- & Hin). apply Forall_app. split; [exact Hcase |]. apply Forall_forall.
    intros h Hh. apply in_map_iff in Hh. destruct Hh as (q & <- & Hq). split; [| reflexivity].
    specialize (Ec ranges Hin). rewrite Forall_forall in Ec. apply (Ec q Hq).
  - intro Hsome. specialize (Hleft Hsome). inversion Hleft as [? ? Hopen | ? ? Hrest]; subst; [| apply Exists_app; right; exact Hrest].
    apply Exists_app. left. destruct Hopen as (S & HS). fold pb in HS. destruct Ht as ((o & Ho) & Hg & Hr).
    pose proof (listed_for_sound (on_piece st) o (on_sides st) sides b g (demands_of rs) (assumed_of case) Ho Hg) as Hw.
    assert (forall new, In new cases -> (exists S', solution pb S' /\
              forall h, In h new -> least h <= count (mem (such_that b (slab_test a (first h) (last h)))) S') ->
              Exists (fun case => some_solution (problem_for sides b g rs case)) (map (fun ranges => case ++ map (assume b a) ranges) cases)) as Hdone.
    { intros new Hin (S' & HS' & Hh). apply Exists_exists. exists (case ++ map (assume b a) new). split.
      - apply in_map_iff. exists new. auto.
      - apply (split_open sides b g rs case a new S'); assumption. }
    assert (0 <= nth a sides 0) as Hside.
    { destruct (Z.leb_spec 0 (nth a sides 0)) as [Hle | Hlt]; [exact Hle |]. exfalso.
      unfold layer_bounds in Eb. replace (Z.to_nat (nth a sides 0 - 1)) with 0%nat in Eb by lia. discriminate. }
    set (either := if mirrored then _ else _) in Es.
    destruct (layers_satisfy (on_piece st) o sides b Ho (asked g) (listed_for sides b g) (demands_of rs) (assumed_of case) S a (Z.to_nat (nth a sides 0))
                (layer_bounds (shown st) sides a) (map layers_in (filter (fun h => Nat.eqb (axis_along h) a) case)) either (most_steps - steps_seen st) r)
      as (new & Hnew & Hh); auto.
    + lia.
    + intros v m Hv. apply (layer_bounds_right (on_piece st) (shown st)); assumption.
    + intros q Hq. apply in_map_iff in Hq. destruct Hq as (h & <- & Hin). apply filter_In in Hin. destruct Hin as [Hin Hax].
      apply Nat.eqb_eq in Hax. rewrite Forall_forall in Hcase. destruct (Hcase h Hin) as [Hle Hmask]. split; [exact Hle |].
      rewrite <- Hax, <- Hmask. destruct HS as (_ & _ & _ & _ & Has & _). apply Has. apply in_map_iff. exists h. auto.
    + intros q h Hq Hin. assert (forall ranges, In ranges cases -> In h ranges -> first h <= last h) as G.
      { intros ranges Hr' Hh'. specialize (Ec ranges Hr'). rewrite Forall_forall in Ec. apply (Ec h Hh'). }
      unfold either in Hq. destruct mirrored; [| apply (G q); assumption]. apply in_app_or in Hq. destruct Hq as [Hq | Hq]; [apply (G q); assumption |].
      apply in_map_iff in Hq. destruct Hq as (ranges & <- & Hranges). apply in_map_iff in Hin. destruct Hin as (h' & <- & Hh').
      specialize (Ec ranges Hranges). rewrite Forall_forall in Ec. specialize (Ec h' Hh'). unfold proper in Ec. simpl. lia.
    + unfold either in Hnew. destruct mirrored; [| apply (Hdone new Hnew); exists S; auto].
      apply in_app_or in Hnew. destruct Hnew as [Hnew | Hnew]; [apply (Hdone new Hnew); exists S; auto |].
      apply in_map_iff in Hnew. destruct Hnew as (ranges & <- & Hranges). apply (Hdone ranges Hranges).
      cbn [andb] in Em. apply negb_false_iff in Em. exists (map (pre (reflection b a)) S). split.
      * unfold reflects in Em. rewrite !andb_true_iff in Em. destruct Em as [[Hauto Has] _].
        apply moved_solution; [| exact Has | exact HS]. apply (automorphismb_board (on_piece st) o sides b Ho); assumption.
      * intros h Hin. rewrite <- (reflected_count (on_piece st) o sides b pb a S _ _ Ho eq_refl Em) by apply HS.
        apply (Hh (turned (nth a sides 0) h)). apply in_map. exact Hin.
Qed.

(** ** Parts *)

Definition nth_region (rs : list region) (n : Z) : option region :=
  if n <? Z.of_nat (length rs) then nth_error rs (Z.to_nat n) else None.

(** Returns the part of a region between two layers, if it lies in the region and must contain [m] squares. *)
Definition part_shown (ls : lemmas) (b : board) (r : region) (a : nat) (from to m : Z) : region + fault :=
  let (lo, size) := nth a (extent r) (0, 0) in
  if negb ((lo <=? from) && (to <? lo + size)) then inr PartOutside else
  match bound_of ls (map snd (part_before a from (extent r))), bound_of ls (map snd (part_after a to (extent r))) with
  | Some m1, Some m2 =>
      if m <=? Z.max (demand_of r - m1 - m2) 0 then
        let q := part_between a from to (extent r) in
        inl {| extent := q; squares_in := such_that b (insideb q); demand_of := m |}
      else inr PartDemandTooLarge
  | _, _ => inr NoLemma
  end.

(** Checks a line [part region axis from-to demand], without its first word. *)
Definition part_line (st : state) (sides : list Z) (g : goal) (b : board) (rs : list region) (known : list (list Z * automorphism))
    (case : list assumption) (parts : list region) (todo : list (list assumption)) (ws : list (list Z)) : state :=
  match ws with
  | [r; axis; layers; demand] =>
      match number r, axis_of axis sides, range_of layers, number demand with
      | Some n, Some a, Some (from, to), Some m =>
          match nth_region (all_regions sides rs case parts) n with
          | Some q =>
              match part_shown (shown st) b q a from to m with
              | inl new => with_mode st (AtCase sides g b rs known case (parts ++ [new]) todo)
              | inr f => failed st f
              end
          | None => failed st NotPart
          end
      | _, _, _, _ => failed st NotPart
      end
  | _ => failed st NotPart
  end.

Lemma part_shown_right : forall p o sides b ls k w rs given r a from to m new, make_board p o sides = Some b -> right_lemmas p ls ->
  from <= to -> right_regions b (problem_of b k w rs given) [r] -> part_shown ls b r a from to m = inl new ->
  right_regions b (problem_of b k w rs given) [new].
Proof.
  intros p o sides b ls k w rs given r a from to m new Hb Hl Hle Hr. unfold part_shown.
  destruct (nth a (extent r) (0, 0)) as [lo size] eqn:En.
  destruct (Z.leb_spec lo from); simpl; [| discriminate]. destruct (Z.ltb_spec to (lo + size)); simpl; [| discriminate].
  destruct (bound_of ls _) as [m1 |] eqn:E1; [| discriminate].
  destruct (bound_of ls (map snd (part_after _ _ _))) as [m2 |] eqn:E2; [| discriminate].
  destruct (Z.leb_spec m (Z.max (demand_of r - m1 - m2) 0)) as [Hm |]; [| discriminate]. intros [= <-] q [<- | []].
  destruct (Hr r (or_introl eq_refl)) as [Hlies Hd]. split.
  - intros x Hx Hin. simpl in *. rewrite (mem_such_that_eq p o sides b Hb) in Hin by exact Hx. apply insideb_inside. exact Hin.
  - intros S HS. simpl. specialize (Hd S HS).
    assert (0 <= count (mem (such_that b (insideb (part_between a from to (extent r))))) S) as Hnone by (unfold count; lia).
    destruct (Nat.leb_spec (length (extent r)) a) as [Hshort | Hlt].
    + rewrite nth_overflow in En by exact Hshort. injection En as <- <-. lia.
    + pose proof (count_part p o sides b Hb k w rs given S (squares_in r) (extent r) a from to m1 m2 HS Hlies Hlt
                    (bound_of_right _ _ _ _ Hl E1) (bound_of_right _ _ _ _ Hl E2)). lia.
Qed.

Lemma part_line_right : forall st sides g b rs known case parts todo ws, right st ->
  right_mode (on_piece st) (on_sides st) (AtCase sides g b rs known case parts todo) ->
  right (part_line st sides g b rs known case parts todo ws).
Proof.
  intros st sides g b rs known case parts todo ws H (Ht & Hk & Hc & Hp). pose proof H as [[Hl _] _]. pose proof Ht as ((o & Hb) & _ & Hr).
  unfold part_line. destruct ws as [| r [| axis [| layers [| demand [| ? ?]]]]]; try (apply right_failed; exact H).
  destruct (number r) as [n |]; [| apply right_failed; exact H].
  destruct (axis_of axis sides) as [a |]; [| apply right_failed; exact H].
  destruct (range_of layers) as [[from to] |] eqn:El; [| apply right_failed; exact H]. apply range_of_less in El.
  destruct (number demand) as [m |]; [| apply right_failed; exact H].
  destruct (nth_region _ n) as [q |] eqn:Eq; [| apply right_failed; exact H].
  destruct (part_shown _ _ _ _ _ _ _) as [new |] eqn:Enew; [| apply right_failed; exact H].
  split; [exact (proj1 H) |]. split; [exact Ht | split; [exact Hk | split; [exact Hc |]]].
  assert (In q (all_regions sides rs case parts)) as Hq.
  { unfold nth_region in Eq. destruct (n <? _); [| discriminate]. apply (nth_error_In _ _ Eq). }
  intros r' Hin. apply in_app_or in Hin. destruct Hin as [Hin | Hin]; [apply Hp; exact Hin |].
  apply (part_shown_right (on_piece st) o sides b (shown st) (asked g) (listed_for sides b g) (demands_of rs) (assumed_of case)
           q a from to m new Hb Hl El); [| exact Enew | exact Hin].
  intros q' [<- | []]. destruct Hc as [Hright _]. inversion Hright; subst.
  apply (right_all (on_piece st) o sides b g rs case parts); assumption.
Qed.

(** ** Lines of nodes *)

Definition settle (st : state) (sides : list Z) (g : goal) (b : board) (rs : list region) (pb : problem)
    (known : list (list Z * automorphism)) (todo : list (list assumption)) (p : progress) (n : Z) : state :=
  match p with
  | Done => next_case st sides g b rs known todo n
  | NotFree => failed st ChildNotFree
  | At P F stack => with_nodes st n (AtNode sides g b rs pb known P F stack todo)
  end.

Definition settle_outcome (st : state) (sides : list Z) (g : goal) (b : board) (rs : list region) (pb : problem)
    (known : list (list Z * automorphism)) (todo : list (list assumption)) (o : outcome) (unsatisfied : fault) : state :=
  match o with
  | Next p => settle st sides g b rs pb known todo p 1
  | Satisfied => failed st unsatisfied
  | Uncovered => failed st NotCovered
  end.

Definition node_line (st : state) (sides : list Z) (g : goal) (b : board) (rs : list region) (pb : problem)
    (known : list (list Z * automorphism)) (P : list Z) (F : Z) (stack : list frame) (todo : list (list assumption)) (line : list Z) : state :=
  match after w_nodes line with
  | Some line' =>
      match run pb line' None (At P F stack) 0 with
      | Ran p n => settle st sides g b rs pb known todo p n
      | Stopped f => failed st f
      end
  | None =>
      match split blank line with
      | kind :: ws =>
          if same kind w_cover then
            match until_slash ws [] with
            | Some (r :: cs, vs) =>
                match number r, all_of (clique_of b pb) cs [], all_of (square_of b) vs [] with
                | Some r', Some cliques, Some vs' =>
                    settle_outcome st sides g b rs pb known todo (named_step pb r' cliques vs' P F stack) RegionSatisfied
                | None, _, _ => failed st NoRegionLetter
                | _, None, _ => failed st NotClique
                | _, _, None => failed st NotSquare
                end
            | _ => failed st NoSlash
            end
          else if same kind w_sum then
            match until_slash ws [] with
            | Some (q :: rows, vs) =>
                match number q, all_of (row_of (on_piece st) (has_rows st) (shown st) b pb) rows [], all_of (square_of b) vs [] with
                | Some q', Some rows', Some vs' =>
                    settle_outcome st sides g b rs pb known todo (sum_step pb q' rows' vs' P F stack) NotLess
                | _, None, _ => failed st NotRow
                | _, _, _ => failed st NotSquare
                end
            | _ => failed st NoSlash
            end
          else if same kind w_orbit then
            match ws with
            | v :: gs =>
                match square_of b v, resolve b pb gs known [] with
                | Some v', Some (known', gs') =>
                    match orbit_step pb v' gs' P F stack with
                    | Orbit p => settle st sides g b rs pb known' todo p 1
                    | Moved => failed st OrbitMoves
                    | OrbitNotFree => failed st OrbitSquare
                    end
                | None, _ => failed st OrbitSquare
                | _, None => failed st NotAutomorphism
                end
            | [] => failed st OrbitSquare
            end
          else if match ws with [] => false | _ => same kind w_box || same kind w_search || same kind w_at || same kind w_solutions || same kind w_count end
          then failed st TreeGoesOn else failed st NotNode
      | [] => failed st NotNode
      end
  end.

Lemma node_line_right : forall st sides g b rs pb known P F stack todo line, right st ->
  right_mode (on_piece st) (on_sides st) (AtNode sides g b rs pb known P F stack todo) ->
  right (node_line st sides g b rs pb known P F stack todo line).
Proof.
  intros st sides g b rs pb known P F stack todo line H (Ht & Hk & case & all & Epb & Hd & Hc & Hi). pose proof H as [[Hl _] _].
  pose proof Ht as ((o & Hb) & Hg & Hr).
  assert (sound_listing pb) as Hw by (rewrite Epb; apply (listed_for_sound (on_piece st) o (on_sides st)); assumption).
  assert (forall known' p n, sound_known (problem_for sides b g rs []) known' -> invariant pb p ->
            right (settle st sides g b rs pb known' todo p n)) as Hsettle.
  { intros known' [P' F' stack' | |] n Hk' Hp; simpl.
    - split; [exact (proj1 H) |]. split; [exact Ht |]. split; [exact Hk' |]. exists case, all. auto.
    - apply next_case_right; try assumption. destruct Hc as [Hright Hleft]. inversion Hright; subst. split; [assumption |].
      intro Hsome. specialize (Hleft Hsome). inversion Hleft as [? ? Hopen |]; subst; [contradiction | assumption].
    - apply right_failed. exact H. }
  assert (forall out f, sound_outcome pb out -> right (settle_outcome st sides g b rs pb known todo out f)) as Hout.
  { intros [p | |] f Hs; simpl; [apply Hsettle; assumption | |]; apply right_failed; exact H. }
  unfold node_line. destruct (after w_nodes line) as [line' |].
  - destruct (run pb line' None (At P F stack) 0) as [p n |] eqn:E; [| apply right_failed; exact H].
    apply Hsettle; [exact Hk |]. apply (run_right pb Hd Hw _ _ _ _ _ _ Hi E).
  - destruct (split blank line) as [| kind ws]; [apply right_failed; exact H |].
    destruct (same kind w_cover).
    { destruct (until_slash ws []) as [[[| r cs] vs] |]; try (apply right_failed; exact H).
      destruct (number r) as [r' |]; [| apply right_failed; exact H].
      destruct (all_of (clique_of b pb) cs []) as [cliques |] eqn:Ec; [| apply right_failed; exact H].
      destruct (all_of (square_of b) vs []) as [vs' |]; [| apply right_failed; exact H].
      apply Hout. apply named_sound; [exact Hd | | exact Hi].
      apply (all_of_Forall _ _ _ _ _ _ _ (clique_of_clique b pb) (Forall_nil _) Ec). }
    destruct (same kind w_sum).
    { destruct (until_slash ws []) as [[[| q rows] vs] |]; try (apply right_failed; exact H).
      destruct (number q) as [q' |]; [| destruct (all_of (row_of (on_piece st) (has_rows st) (shown st) b pb) rows []); apply right_failed; exact H].
      destruct (all_of (row_of (on_piece st) (has_rows st) (shown st) b pb) rows []) as [rows' |] eqn:Er; [| apply right_failed; exact H].
      destruct (all_of (square_of b) vs []) as [vs' |]; [| apply right_failed; exact H].
      apply Hout. apply sum_sound; [| exact Hi].
      refine (all_of_Forall _ _ _ _ _ _ _ _ (Forall_nil _) Er). intros w r. rewrite Epb.
      apply (row_of_right (on_piece st) o sides (has_rows st)); assumption. }
    destruct (same kind w_orbit).
    { destruct ws as [| v gs]; [apply right_failed; exact H |].
      destruct (square_of b v) as [v' |]; [| apply right_failed; exact H].
      destruct (resolve b pb gs known []) as [[known' gs'] |] eqn:Eg; [| apply right_failed; exact H].
      rewrite Epb in Eg, Hw.
      destruct (resolve_right (on_piece st) o sides b (asked g) (listed_for sides b g) (demands_of all) (assumed_of case) gs known [] known' gs'
                  Hb Hw Hk (Forall_nil _) Eg) as [Hk' Hgs]. fold (problem_for sides b g all case) in Hgs. rewrite <- Epb in Hgs.
      destruct (orbit_step pb v' gs' P F stack) as [p | |] eqn:Eo; try (apply right_failed; exact H).
      apply Hsettle; [exact Hk' |]. apply (orbit_sound pb v' gs' P F stack p); assumption. }
    destruct (match ws with [] => false | _ => _ end); apply right_failed; exact H.
Qed.

(** * Lists of solutions *)

(** Checks a line [solutions k n], without its first word. *)
Definition solutions_line (st : state) (ws : list (list Z)) : state :=
  match ws with
  | [k; n] =>
      match number k, number n with
      | Some k', Some n' =>
          if most_listed <? k' * n' then failed st ListTooLarge else
          if 4096 <? volume (on_sides st) then failed st BoardTooLarge else
          if n' =? 0 then with_mode st (AtOrder (on_sides st) (Sets k' []))
          else with_mode st (AtSolutions k' n' (table_of (squares_of (on_sides st))) [])
      | _, _ => failed st NotBound
      end
  | _ => failed st NotTop
  end.

Fixpoint strictly_increasing (l : list Z) : bool :=
  match l with
  | a :: (b :: _) as l' => (a <? b) && strictly_increasing l'
  | _ => true
  end.

(** Checks a line [solution squares]. The set must be larger than those before it, which means that its key is
    smaller. *)
Definition solution_line (st : state) (k missing : Z) (squares : table square) (found : list (list square * Z)) (ws : list (list Z)) : state :=
  match ws with
  | w :: ns =>
      if negb (same w w_solution) then failed st NotSolution else
      match all_of number ns [] with
      | Some ns' =>
          if negb (forallb (fun n => n <? volume (on_sides st)) ns') then failed st NotSquare else
          if negb (strictly_increasing ns') then failed st SolutionsNotSorted else
          let S := map (get [] squares) ns' in
          if negb (Z.of_nat (length S) =? k) then failed st SolutionSize else
          if negb (forallb (insideb (whole (on_sides st))) S && independentb (on_piece st) S) then failed st NotIndependent else
          let key := square_key (on_sides st) S in
          if match found with [] => true | (_, least) :: _ => key <? least end then
            if missing =? 1 then with_mode st (AtOrder (on_sides st) (Sets k ((S, key) :: found)))
            else with_mode st (AtSolutions k (missing - 1) squares ((S, key) :: found))
          else failed st SolutionsNotSorted
      | None => failed st NotSquare
      end
  | [] => failed st NotSolution
  end.

Lemma solution_line_right : forall st k missing squares found ws, right st -> right_sets (on_piece st) (on_sides st) k found ->
  right (solution_line st k missing squares found ws).
Proof.
  intros st k missing squares found ws H (Hf & Hnd & Hleast). unfold solution_line.
  destruct ws as [| w ns]; [apply right_failed; exact H |].
  destruct (negb (same w w_solution)); [apply right_failed; exact H |].
  destruct (all_of number ns []) as [ns' |]; [| apply right_failed; exact H].
  destruct (negb (forallb _ ns')); [apply right_failed; exact H |].
  destruct (negb (strictly_increasing ns')); [apply right_failed; exact H |].
  set (A := map (get [] squares) ns').
  destruct (Z.eqb_spec (Z.of_nat (length A)) k) as [Hk |]; cbn [negb]; [| apply right_failed; exact H].
  destruct (forallb (insideb (whole (on_sides st))) A && independentb (on_piece st) A) eqn:E; cbn [negb]; [| apply right_failed; exact H].
  destruct (match found with [] => true | _ => _ end) eqn:El; [| apply right_failed; exact H].
  apply andb_prop in E. destruct E as [E1 E2].
  assert (right_sets (on_piece st) (on_sides st) k ((A, square_key (on_sides st) A) :: found)) as Hnew.
  { split; [| split].
    - constructor; [| exact Hf]. split; [apply independentb_right; assumption | auto].
    - simpl. constructor; [| exact Hnd]. intro Hin. rewrite Forall_forall in Hleast.
      destruct found as [| [B least] found]; [destruct Hin |]. apply Hleast in Hin. simpl in Hin. apply Z.ltb_lt in El. lia.
    - simpl. constructor; [lia |]. destruct found as [| [B least] found]; [constructor |]. simpl in Hleast. apply Z.ltb_lt in El.
      eapply Forall_impl; [| exact Hleast]. simpl. intros key Hkey. lia. }
  destruct (missing =? 1); (split; [exact (proj1 H) |]); [split; [reflexivity | exact Hnew] | exact Hnew].
Qed.

(** Returns the number of sets of this size, if it was proved. *)
Fixpoint find_count (k : Z) (counts : list (Z * Z)) : option Z :=
  match counts with
  | [] => None
  | (k', n) :: counts' => if k' =? k then Some n else find_count k counts'
  end.

Lemma find_count_In : forall k counts n, find_count k counts = Some n -> In (k, n) counts.
Proof.
  intros k counts n. induction counts as [| [k' n'] counts IH]; simpl; [discriminate |].
  destruct (Z.eqb_spec k' k) as [-> |]; [intros [= ->]; left; reflexivity | intro H; right; auto].
Qed.

(** Checks a line [count k n], without its first word. *)
Definition count_line (st : state) (ws : list (list Z)) : state :=
  match ws with
  | [k; n] =>
      match number k, number n with
      | Some k', Some n' =>
          match find_count k' (counts st) with
          | Some m => if m =? n' then with_mode st (AtEnd (Exactly k' n')) else failed st CountNotShown
          | None => failed st CountNotShown
          end
      | _, _ => failed st NotBound
      end
  | _ => failed st NotTop
  end.

(** * A line *)

(** Checks a line before the nodes of a case: it splits the case further, adds a part, or contains the first
    nodes. *)
Definition case_line (st : state) (sides : list Z) (g : goal) (b : board) (rs : list region) (known : list (list Z * automorphism))
    (case : list assumption) (parts : list region) (todo : list (list assumption)) (line : list Z) : state :=
  match split blank line with
  | kind :: ws =>
      if same kind w_layers && match g, parts with Bound _, [] => true | _, _ => false end
      then layers_line st sides g b rs known case todo ws
      else if same kind w_part then part_line st sides g b rs known case parts todo ws
      else
        let pb := problem_for sides b g (all_regions sides rs case parts) case in
        node_line st sides g b rs pb known [] (such_that b (fun _ => true)) [] todo line
  | [] => failed st NotNode
  end.

Lemma case_line_right : forall st sides g b rs known case parts todo line, right st ->
  right_mode (on_piece st) (on_sides st) (AtCase sides g b rs known case parts todo) ->
  right (case_line st sides g b rs known case parts todo line).
Proof.
  intros st sides g b rs known case parts todo line H Hm. unfold case_line.
  destruct (split blank line) as [| kind ws]; [apply right_failed; exact H |].
  destruct (same kind w_layers && _) eqn:El.
  { apply layers_line_right; [exact H |]. destruct g, parts; try (rewrite andb_false_r in El; discriminate). exact Hm. }
  destruct (same kind w_part); [apply part_line_right; assumption |].
  destruct Hm as (Ht & Hk & Hc & Hp). apply node_line_right; [exact H |]. split; [exact Ht | split; [exact Hk |]].
  destruct Ht as ((o & Ho) & _ & Hr). exists case, (all_regions sides rs case parts). split; [reflexivity | split; [| split; [exact Hc |]]].
  - apply right_demands. destruct Hc as [Hright _]. inversion Hright; subst.
    apply (right_all (on_piece st) o sides b g rs case parts); assumption.
  - apply root_invariant. intros x Hx.
    apply (everything (on_piece st) o sides b Ho (asked g) (listed_for sides b g) (demands_of rs) (assumed_of case)). exact Hx.
Qed.

Definition line_in (st : state) (line : list Z) : state :=
  match now st with
  | AtHeader =>
      if same line w_header then with_mode st AtBoard
      else if same line w_header_of_rows then with_rows st AtBoard else failed st NotHeader
  | AtBoard =>
      match after w_board line with
      | Some name =>
          match board_named name with
          | Some (p, sides) =>
              {| on_piece := p; on_sides := sides; has_rows := has_rows st; shown := []; counts := []; now := AtTop; nodes_seen := 0; boxes_seen := 0;
                 steps_seen := 0 |}
          | None => failed st NotBoard
          end
      | None => failed st NotBoard
      end
  | AtTop =>
      match split blank line with
      | kind :: ws =>
          if same kind w_box then box_line st ws
          else if same kind w_at then
            match ws with
            | [w; k] =>
                match number k, bound_of (shown st) (on_sides st) with
                | Some k', Some m =>
                    if same w w_most then if m <=? k' then with_mode st (AtEnd (AtMost k')) else failed st NotShown
                    else failed st NotTop
                | None, _ => failed st NotBound
                | _, None => failed st NotShown
                end
            | _ => failed st NotTop
            end
          else if same kind w_solutions then solutions_line st ws
          else if same kind w_count then count_line st ws
          else failed st NotTop
      | [] => failed st NotTop
      end
  | AtSolutions k missing squares found => solution_line st k missing squares found (split blank line)
  | AtOrder sides g => order_line st sides g (split blank line)
  | AtSlabs sides g b rs =>
      match split blank line with
      | kind :: ws =>
          if same kind w_slab then slab_line st sides g b rs ws
          else case_line st sides g b rs [] [] [] [] line
      | [] => failed st NotNode
      end
  | AtCase sides g b rs known case parts todo => case_line st sides g b rs known case parts todo line
  | AtNode sides g b rs pb known P F stack todo => node_line st sides g b rs pb known P F stack todo line
  | AtEnd c => if same line w_end then with_mode st (Finished c) else failed st NotEnd
  | Finished _ => failed st AfterEnd
  | Failed f => st
  end.

(** Checks a line. Lines must be printable, and the words of all lines except the first two must be separated
    by one blank. *)
Definition line_of (st : state) (line : list Z) : state :=
  match now st with
  | Failed _ => st
  | Finished _ => failed st AfterEnd
  | AtHeader | AtBoard => if printable line then line_in st line else failed st NotPlain
  | _ =>
      if negb (printable line) then failed st NotPlain
      else if spaced true line then line_in st line else failed st NotSpaced
  end.

Lemma line_in_right : forall st line, right st -> right (line_in st line).
Proof.
  intros st line H. pose proof H as [Hs Hm]. pose proof Hs as [Hl Hcounts]. unfold line_in.
  destruct (now st) as [| | | k todo squares found | sides g | sides g b rs | sides g b rs known case parts todo
    | sides g b rs pb known P F stack todo | c | c | f] eqn:En.
  - destruct (same line w_header); [split; [exact Hs | exact I] |].
    destruct (same line w_header_of_rows); [split; [exact Hs | exact I] | apply right_failed; exact H].
  - destruct (after w_board line) as [name |]; [| apply right_failed; exact H].
    destruct (board_named name) as [[p sides] |]; [| apply right_failed; exact H]. split; [split; constructor | exact I].
  - destruct (split blank line) as [| kind ws]; [apply right_failed; exact H |].
    destruct (same kind w_box); [apply box_line_right; exact H |].
    destruct (same kind w_at).
    { destruct ws as [| w [| k [| ? ?]]]; try (apply right_failed; exact H).
    destruct (number k) as [k' |]; [| apply right_failed; exact H].
    destruct (bound_of (shown st) (on_sides st)) as [m |] eqn:Eb; [| apply right_failed; exact H].
    destruct (same w w_most); [| apply right_failed; exact H].
    destruct (Z.leb_spec m k') as [Hle |]; [| apply right_failed; exact H].
    split; [exact Hs |]. simpl. apply (at_most_weaker _ _ m); [| exact Hle].
    apply (bound_of_right _ (shown st)); assumption. }
    destruct (same kind w_solutions).
    { unfold solutions_line. destruct ws as [| k [| n [| ? ?]]]; try (apply right_failed; exact H).
      destruct (number k) as [k' |]; [| apply right_failed; exact H]. destruct (number n) as [n' |]; [| apply right_failed; exact H].
      destruct (most_listed <? k' * n'); [apply right_failed; exact H |].
      destruct (4096 <? volume (on_sides st)); [apply right_failed; exact H |].
      assert (right_sets (on_piece st) (on_sides st) k' []) as Hnone by (split; [constructor | split; constructor]).
      destruct (n' =? 0); (split; [exact Hs |]); [split; [reflexivity | exact Hnone] | exact Hnone]. }
    destruct (same kind w_count); [| apply right_failed; exact H].
    unfold count_line. destruct ws as [| k [| n [| ? ?]]]; try (apply right_failed; exact H).
    destruct (number k) as [k' |]; [| apply right_failed; exact H]. destruct (number n) as [n' |]; [| apply right_failed; exact H].
    destruct (find_count k' (counts st)) as [m |] eqn:Ec; [| apply right_failed; exact H].
    destruct (Z.eqb_spec m n') as [-> |]; [| apply right_failed; exact H]. apply find_count_In in Ec.
    rewrite Forall_forall in Hcounts. split; [exact Hs |]. exact (Hcounts _ Ec).
  - apply solution_line_right; [exact H | exact Hm].
  - apply order_line_right; [exact H | exact Hm].
  - destruct (split blank line) as [| kind ws]; [apply right_failed; exact H |].
    destruct (same kind w_slab).
    + pose proof (slab_line_right st sides g b rs ws) as G.
      assert (with_mode st (AtSlabs sides g b rs) = st) as E by (destruct st; simpl in *; subst; reflexivity).
      rewrite E in G. apply G. exact H.
    + apply case_line_right; [exact H |]. split; [exact Hm | split; [constructor | split; [split; [constructor; constructor |] |]]].
      * intro Hsome. left. exact Hsome.
      * intros r [].
  - apply case_line_right; [exact H | exact Hm].
  - apply node_line_right; [exact H |]. exact Hm.
  - destruct (same line w_end); [| apply right_failed; exact H]. split; [exact Hs | exact Hm].
  - apply right_failed. exact H.
  - exact H.
Qed.

Lemma line_of_right : forall st line, right st -> right (line_of st line).
Proof.
  intros st line H. unfold line_of.
  destruct (now st); try exact H; try (apply right_failed; exact H);
    destruct (printable line); simpl; try (apply right_failed; exact H);
    try (apply line_in_right; exact H);
    destruct (spaced true line); try (apply right_failed; exact H); apply line_in_right; exact H.
Qed.

(** * A file *)

Definition first_state : state :=
  {| on_piece := Queen; on_sides := []; has_rows := false; shown := []; counts := []; now := AtHeader; nodes_seen := 0; boxes_seen := 0;
                 steps_seen := 0 |}.

Record reader := {
  reached : state;
  line_read : list Z;      (* line so far, its last byte first *)
  length_read : Z;
  lines_read : Z
}.

Definition first_reader : reader := {| reached := first_state; line_read := []; length_read := 0; lines_read := 0 |}.

Definition longest_line : Z := Eval compute in 2 ^ 28 - 1.

(** Reads one byte. After a fault the state stays the same. *)
Definition feed (r : reader) (c : Z) : reader :=
  match now (reached r) with
  | Failed _ => r
  | _ =>
  if c =? line_feed then
    {| reached := line_of (reached r) (rev' (line_read r)); line_read := []; length_read := 0; lines_read := lines_read r + 1 |}
  else if length_read r <? longest_line then
    {| reached := reached r; line_read := c :: line_read r; length_read := length_read r + 1; lines_read := lines_read r |}
  else
    {| reached := failed (reached r) LineTooLong; line_read := []; length_read := 0; lines_read := lines_read r + 1 |}
  end.

(** Returns the result of a file: the board and the claim about it. *)
Definition conclusion (r : reader) : option (piece * list Z * claim) :=
  match line_read r, now (reached r) with
  | [], Finished c => Some (on_piece (reached r), on_sides (reached r), c)
  | _, _ => None
  end.

(** Checks a file that proves a bound. Returns the board and the bound. *)
Definition check_proof (file : list Z) : option (piece * list Z * Z) :=
  match conclusion (fold_left feed file first_reader) with
  | Some (p, sides, AtMost k) => Some (p, sides, k)
  | _ => None
  end.

(** Checks a file that proves a count. Returns the board, the size of the sets and their number. *)
Definition check_count (file : list Z) : option (piece * list Z * Z * Z) :=
  match conclusion (fold_left feed file first_reader) with
  | Some (p, sides, Exactly k n) => Some (p, sides, k, n)
  | _ => None
  end.

Lemma feed_right : forall file r, right (reached r) -> right (reached (fold_left feed file r)).
Proof.
  induction file as [| c file IH]; intros r H; simpl; [exact H |]. apply IH. unfold feed.
  destruct (now (reached r)); try exact H;
    destruct (c =? line_feed); try (apply line_of_right; exact H);
    destruct (length_read r <? longest_line); try exact H; apply right_failed; exact H.
Qed.

Lemma reached_right : forall file, right (reached (fold_left feed file first_reader)).
Proof. intro file. apply feed_right. split; [split; constructor | exact I]. Qed.

Lemma conclusion_right : forall file p sides c, conclusion (fold_left feed file first_reader) = Some (p, sides, c) ->
  right_claim p sides c.
Proof.
  intros file p sides c. unfold conclusion. pose proof (reached_right file) as [_ H].
  destruct (line_read _); [| discriminate]. destruct (now _) eqn:E; try discriminate.
  intros [= <- <- <-]. exact H.
Qed.

Theorem check_proof_right : forall file p sides k, check_proof file = Some (p, sides, k) -> at_most p sides k.
Proof.
  intros file p sides k. unfold check_proof. destruct (conclusion _) as [[[p' s] [k' | k' n]] |] eqn:E; try discriminate.
  intros [= <- <- <-]. apply conclusion_right in E. exact E.
Qed.

Theorem check_count_right : forall file p sides k n, check_count file = Some (p, sides, k, n) -> number_of_sets p sides k n.
Proof.
  intros file p sides k n. unfold check_count. destruct (conclusion _) as [[[p' s] [k' | k' n']] |] eqn:E; try discriminate.
  intros [= <- <- <- <-]. apply conclusion_right in E. exact E.
Qed.

(** Returns the bounds of all boxes that a file shows on the way. *)
Definition boxes (r : reader) : lemmas :=
  match conclusion r with
  | Some _ => shown (reached r)
  | None => []
  end.

Lemma lemmas_right : forall file p sides c, conclusion (fold_left feed file first_reader) = Some (p, sides, c) ->
  right_lemmas p (shown (reached (fold_left feed file first_reader))).
Proof.
  intros file p sides c. unfold conclusion. pose proof (reached_right file) as [[H _] _].
  destruct (line_read _); [| discriminate]. destruct (now _); try discriminate. intros [= <- _ _]. exact H.
Qed.

Theorem boxes_right : forall file p sides k s m,
  check_proof file = Some (p, sides, k) -> In (s, m) (boxes (fold_left feed file first_reader)) -> at_most p s m.
Proof.
  intros file p sides k s m H Hin. unfold check_proof in H. unfold boxes in Hin.
  destruct (conclusion _) as [[[p' s'] [k' | k' n]] |] eqn:E; try discriminate. injection H as <- _ _.
  apply lemmas_right in E. unfold right_lemmas in E. rewrite Forall_forall in E. exact (E (s, m) Hin).
Qed.

Theorem boxes_of_count_right : forall file p sides k n s m,
  check_count file = Some (p, sides, k, n) -> In (s, m) (boxes (fold_left feed file first_reader)) -> at_most p s m.
Proof.
  intros file p sides k n s m H Hin. unfold check_count in H. unfold boxes in Hin.
  destruct (conclusion _) as [[[p' s'] [k' | k' n']] |] eqn:E; try discriminate. injection H as <- _ _ _.
  apply lemmas_right in E. unfold right_lemmas in E. rewrite Forall_forall in E. exact (E (s, m) Hin).
Qed.

(** Returns [true] if a file proves a count and also that the board has no larger sets. *)
Definition no_more_fit (r : reader) : bool :=
  match conclusion r with
  | Some (_, sides, Exactly k _) =>
      match bound_of (shown (reached r)) sides with
      | Some m => m <=? k
      | None => false
      end
  | _ => false
  end.

Theorem no_more_fit_right : forall file p sides k n, check_count file = Some (p, sides, k, n) ->
  no_more_fit (fold_left feed file first_reader) = true -> at_most p sides k.
Proof.
  intros file p sides k n H. unfold check_count in H. unfold no_more_fit.
  destruct (conclusion _) as [[[p' s] [k' | k' n']] |] eqn:E; try discriminate. injection H as <- <- <- <-.
  apply lemmas_right in E. destruct (bound_of _ s) as [m |] eqn:Em; [| discriminate]. intro Hm. apply Z.leb_le in Hm.
  apply (at_most_weaker p' s m); [| exact Hm]. apply (bound_of_right p' _ s m E Em).
Qed.
