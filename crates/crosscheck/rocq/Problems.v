(** The problem of a tree: the places of a box, the attacks, and lower limits of the squares of a solution in
    slabs and parts. *)

From NDQ Require Import Definitions Boxes Sums Faces Rows Trees.
From Coq Require Import Mergesort Orders.

(** * Orders of squares *)

Module KeyOrder <: TotalLeBool.
  Definition t : Type := Z * list Z.
  Definition leb (a b : t) : bool := fst a <=? fst b.
  Lemma leb_total : forall a b, leb a b = true \/ leb b a = true.
  Proof. intros a b. unfold leb. rewrite !Z.leb_le. lia. Qed.
End KeyOrder.

Module KeySort := Sort KeyOrder.

Inductive order := Lexicographic | Morton.

(** Returns the bits of the coordinates, the highest bit of each first, as one number. *)
Definition morton_key (x : square) : Z :=
  fold_left (fun key bit => fold_left (fun key c => 2 * key + (if mem c bit then 1 else 0)) x key)
    (rev (count_up 32 0)) 0.

Definition ordered (o : order) (squares : list square) : list square :=
  match o with
  | Lexicographic => squares
  | Morton => map snd (KeySort.sort (map (fun x => (morton_key x, x)) squares))
  end.

Lemma in_ordered : forall o squares x, In x (ordered o squares) <-> In x squares.
Proof.
  intros [|] squares x; simpl; [reflexivity |]. rewrite in_map_iff. split.
  - intros ([key y] & E & H). simpl in E. subst y.
    apply (Permutation_in _ (Permutation_sym (KeySort.Permuted_sort _))) in H.
    apply in_map_iff in H. destruct H as (y & [= _ <-] & H). exact H.
  - intro H. exists (morton_key x, x). split; [reflexivity |].
    apply (Permutation_in _ (KeySort.Permuted_sort _)). apply in_map_iff. exists x. auto.
Qed.

(** * Places *)

Fixpoint places_of (f : square -> bool) (l : list square) (i : Z) : list Z :=
  match l with
  | [] => []
  | x :: l' => if f x then i :: places_of f l' (i + 1) else places_of f l' (i + 1)
  end.

Lemma in_places_of : forall f l i j,
  In j (places_of f l i) <-> i <= j < i + Z.of_nat (length l) /\ f (nth (Z.to_nat (j - i)) l []) = true.
Proof.
  intros f. induction l as [| x l IH]; intros i j; simpl places_of; simpl length.
  - simpl. split; [intros [] | lia].
  - assert (In j (places_of f l (i + 1)) <->
            i + 1 <= j < i + Z.of_nat (S (length l)) /\ f (nth (Z.to_nat (j - i)) (x :: l) []) = true) as G.
    { rewrite IH. split; intros [H1 H2]; (split; [lia |]);
        replace (Z.to_nat (j - i)) with (S (Z.to_nat (j - (i + 1)))) in * by lia; exact H2. }
    destruct (f x) eqn:E; simpl; rewrite G.
    + split.
      * intros [<- | [H1 H2]]; [| split; [lia | exact H2]]. split; [lia |]. rewrite Z.sub_diag. exact E.
      * intros [H1 H2]. destruct (Z.eq_dec i j); [left; assumption | right; split; [lia | exact H2]].
    + split; intros [H1 H2]; (split; [| exact H2]); [lia |].
      destruct (Z.eq_dec i j) as [<- | Hne]; [| lia]. rewrite Z.sub_diag in H2. simpl in H2. congruence.
Qed.

Record board := {
  piece_of : piece;
  sides_of : list Z;
  squares : list square;            (* by place *)
  size_of : nat;
  coordinates : table square;       (* by place *)
  neighbours : table (list Z);      (* by place *)
  masks : table Z;                  (* by place *)
  numbers : table Z                 (* place of each square, by number *)
}.

(** Returns the number of a square: its place in lexicographic order. *)
Definition number_of (sides : list Z) (x : square) : Z :=
  fold_left (fun n '(side, c) => n * side + c) (combine sides x) 0.

Definition inverse (l : list Z) : list Z :=
  map (fun '(_, x) => hd (-1) x)
    (KeySort.sort (combine l (map (fun x => [x]) (count_up (length l) 0)))).

Definition distinct (b : board) : bool :=
  forallb (fun i => get (-1) (numbers b) (number_of (sides_of b) (get [] (coordinates b) i)) =? i)
    (count_up (size_of b) 0).

Definition make_board (p : piece) (o : order) (sides : list Z) : option board :=
  let squares := ordered o (squares_of sides) in
  let near := map (fun x => places_of (attacksb p x) squares 0) squares in
  let b := {|
    piece_of := p;
    sides_of := sides;
    squares := squares;
    size_of := length squares;
    coordinates := table_of squares;
    neighbours := table_of near;
    masks := table_of (map set_of near);
    numbers := table_of (inverse (map (number_of sides) squares))
  |} in
  if distinct b then Some b else None.

(** Returns the problem of the sets of [k] squares that have at least the assumed number of squares in each
    part. The demands of the regions follow from these conditions. *)
Definition problem_of (b : board) (k : Z) (w : listing) (rs given : list (Z * Z)) : problem :=
  {| size := size_of b; adjacent := masks b; wanted := k; regions := table_of rs; assumed := given; listed := w |}.

Definition such_that (b : board) (f : square -> bool) : Z := set_of (places_of f (squares b) 0).

Section Board.

Variables (p : piece) (o : order) (sides : list Z) (b : board).
Hypothesis made : make_board p o sides = Some b.

Lemma made_is : piece_of b = p /\ sides_of b = sides /\ squares b = ordered o (squares_of sides) /\
  size_of b = length (squares b) /\ coordinates b = table_of (squares b) /\
  neighbours b = table_of (map (fun x => places_of (attacksb p x) (squares b) 0) (squares b)) /\
  masks b = table_of (map set_of (map (fun x => places_of (attacksb p x) (squares b) 0) (squares b))) /\
  distinct b = true.
Proof.
  pose proof made as H. unfold make_board in H.
  destruct (distinct _) eqn:E in H; [| discriminate]. injection H as <-. simpl. repeat split. exact E.
Qed.

Definition is_place (x : Z) : Prop := 0 <= x < Z.of_nat (size_of b).

Definition at_ (x : Z) : square := get [] (coordinates b) x.

Lemma at_nth : forall x, is_place x -> at_ x = nth (Z.to_nat x) (squares b) [].
Proof.
  intros x Hx. unfold at_, get. destruct made_is as (_ & _ & _ & _ & -> & _).
  destruct (Z.ltb_spec x 0); [destruct Hx; lia | reflexivity].
Qed.

Lemma get_map : forall A (f : square -> A) d x, is_place x ->
  get d (table_of (map f (squares b))) x = f (at_ x).
Proof.
  intros A f d x Hx. rewrite at_nth by exact Hx. unfold get, table_of.
  destruct made_is as (_ & _ & _ & Hs & _). destruct Hx as [H0 H1].
  destruct (Z.ltb_spec x 0); [lia |].
  rewrite nth_indep with (d' := f []); [apply map_nth |]. rewrite map_length. lia.
Qed.

Lemma on_board_squares_of : forall s x, In x (squares_of s) -> on_board s x.
Proof.
  assert (forall n from c, In c (count_up n from) -> from <= c < from + Z.of_nat n) as Hup.
  { induction n as [| n IH]; intros from c; simpl; [intros [] |]. intros [<- | H]; [lia |]. apply IH in H. lia. }
  induction s as [| n s IH]; intros x H; simpl in H.
  - destruct H as [<- | []]. constructor.
  - apply in_flat_map in H. destruct H as (c & Hc & H). apply in_map_iff in H. destruct H as (y & <- & Hy).
    constructor; [| apply IH; exact Hy]. apply Hup in Hc. lia.
Qed.

Lemma at_on_board : forall x, is_place x -> on_board sides (at_ x).
Proof.
  intros x Hx. rewrite at_nth by exact Hx. destruct made_is as (_ & _ & Hsq & Hs & _).
  apply on_board_squares_of. apply (in_ordered o). rewrite <- Hsq. apply nth_In. destruct Hx. lia.
Qed.

Lemma at_onto : forall y, on_board sides y -> exists x, is_place x /\ at_ x = y.
Proof.
  intros y Hy. destruct made_is as (_ & _ & Hsq & Hs & _).
  assert (In y (squares b)) as Hin by (rewrite Hsq; apply in_ordered, in_squares_of; exact Hy).
  destruct (In_nth _ _ [] Hin) as (i & Hi & E). exists (Z.of_nat i).
  assert (is_place (Z.of_nat i)) as Hp by (split; [lia | rewrite Hs; apply inj_lt; exact Hi]).
  split; [exact Hp |]. rewrite at_nth by exact Hp. rewrite Nat2Z.id. exact E.
Qed.

Lemma at_injective : forall x y, is_place x -> is_place y -> at_ x = at_ y -> x = y.
Proof.
  intros x y Hx Hy E. destruct made_is as (_ & _ & _ & _ & _ & _ & _ & Hd).
  unfold distinct in Hd. rewrite forallb_forall in Hd.
  assert (forall z, is_place z -> get (-1) (numbers b) (number_of (sides_of b) (at_ z)) = z) as G.
  { intros z Hz. apply Z.eqb_eq. apply Hd. apply in_count_up. destruct Hz. lia. }
  rewrite <- (G x Hx), <- (G y Hy), E. reflexivity.
Qed.

Lemma in_places : forall f x, In x (places_of f (squares b) 0) <-> is_place x /\ f (at_ x) = true.
Proof.
  intros f x. rewrite in_places_of. destruct made_is as (_ & _ & _ & Hs & _).
  assert (0 <= x < 0 + Z.of_nat (length (squares b)) <-> is_place x) as G by (unfold is_place; rewrite Hs; reflexivity).
  rewrite G. rewrite Z.sub_0_r. split; intros [Hx H]; (split; [exact Hx |]); rewrite at_nth in *; assumption.
Qed.

Lemma mem_such_that : forall f x, mem (such_that b f) x = true <-> is_place x /\ f (at_ x) = true.
Proof.
  intros f x. unfold such_that. rewrite mem_set_of; [apply in_places |].
  intros y Hy. apply in_places in Hy. destruct Hy as [[Hy _] _]. exact Hy.
Qed.

Lemma neighbour_attacks : forall x y, is_place x ->
  In y (get [] (neighbours b) x) <-> is_place y /\ attacks p (at_ x) (at_ y).
Proof.
  intros x y Hx. destruct made_is as (_ & _ & _ & _ & _ & Hn & _). rewrite Hn, get_map by exact Hx.
  rewrite in_places, attacksb_attacks. reflexivity.
Qed.

Lemma mask_attacks : forall x y, is_place x ->
  mem (get 0 (masks b) x) y = true <-> is_place y /\ attacks p (at_ x) (at_ y).
Proof.
  intros x y Hx. destruct made_is as (_ & _ & _ & _ & _ & _ & Hm & _). rewrite Hm, map_map, get_map by exact Hx.
  rewrite mem_set_of.
  - rewrite in_places, attacksb_attacks. reflexivity.
  - intros z Hz. apply in_places in Hz. destruct Hz as [[Hz _] _]. exact Hz.
Qed.

(** A solution is an independent set of [k] squares. *)
Lemma solution_independent : forall k w rs given S, solution (problem_of b k w rs given) S ->
  independent p sides (map at_ S) /\ Z.of_nat (length S) = k.
Proof.
  intros k w rs given S (Hnd & Hpl & Hat & Hk & _). rewrite Forall_forall in Hpl. split; [| exact Hk]. split; [| split].
  - clear Hat Hk. induction Hnd as [| x S Hx Hnd IH]; simpl; [constructor |]. constructor.
    + intro Hin. apply in_map_iff in Hin. destruct Hin as (y & E & Hy).
      rewrite (at_injective y x) in Hy; auto; [apply Hpl; right | apply Hpl; left]; auto.
    + apply IH. intros y Hy. apply Hpl. right. exact Hy.
  - apply Forall_forall. intros y Hy. apply in_map_iff in Hy. destruct Hy as (x & <- & Hx). apply at_on_board, Hpl, Hx.
  - intros u v Hu Hv Ha. apply in_map_iff in Hu. apply in_map_iff in Hv.
    destruct Hu as (x & <- & Hx). destruct Hv as (y & <- & Hy).
    specialize (Hat x y Hx Hy). unfold adj in Hat. simpl in Hat.
    assert (mem (get 0 (masks b) x) y = true) as Hm by (apply mask_attacks; [apply Hpl | split; [apply Hpl |]]; assumption).
    congruence.
Qed.

Lemma independent_solution : forall k S, independent p sides S -> Z.of_nat (length S) = k ->
  exists S', map at_ S' = S /\ solution (problem_of b k nothing_listed [] []) S'.
Proof.
  intros k S (Hnd & Hon & Hat) Hk.
  assert (exists S', map at_ S' = S /\ Forall is_place S') as (S' & HS' & Hpl).
  { clear Hnd Hat Hk. induction Hon as [| x S Hx Hon (S' & <- & Hpl)]; [exists []; auto |].
    destruct (at_onto x Hx) as (i & Hi & <-). exists (i :: S'). auto. }
  exists S'. split; [exact HS' |]. split; [| split; [exact Hpl | split; [| split; [| split]]]].
  - apply (NoDup_map_inv at_). rewrite HS'. exact Hnd.
  - intros x y Hx Hy. destruct (mem (adj (problem_of b k nothing_listed [] []) x) y) eqn:E; [| reflexivity].
    rewrite Forall_forall in Hpl. apply mask_attacks in E; [| apply Hpl; exact Hx]. destruct E as [_ E].
    destruct (Hat (at_ x) (at_ y)); try (rewrite <- HS'; apply in_map; assumption). exact E.
  - simpl. rewrite <- Hk, <- HS', map_length. reflexivity.
  - intros R m [].
  - intros l [].
Qed.

(** Additional assumptions and listed sets do not add solutions. *)
Lemma fewer_solutions : forall k w rs rs' given S,
  solution (problem_of b k w rs given) S -> solution (problem_of b k nothing_listed rs' []) S.
Proof.
  intros k w rs rs' given S (Hnd & Hpl & Hat & Hk & _). split; [| split; [| split; [| split; [| split]]]]; try assumption.
  - intros R m [].
  - intros l [].
Qed.

(** * Number of squares of a solution in a part of the board *)

Lemma mem_such_that_eq : forall f x, is_place x -> mem (such_that b f) x = f (at_ x).
Proof.
  intros f x Hx. pose proof (mem_such_that f x) as G. destruct (mem (such_that b f) x), (f (at_ x)); try reflexivity.
  - symmetry. apply G. reflexivity.
  - apply G. split; auto.
Qed.

(** A cuboid contains at most as many squares of a solution as the bound of its box. *)
Lemma count_cuboid : forall k w rs given S r m, solution (problem_of b k w rs given) S -> at_most p (map snd r) m ->
  count (mem (such_that b (insideb r))) S <= m.
Proof.
  intros k w rs given S r m HS Hm. destruct (solution_independent k w rs given S HS) as ((Hnd & _ & Hat) & _).
  destruct HS as (_ & Hpl & _). rewrite Forall_forall in Hpl.
  rewrite (count_map _ _ (insideb r) _ at_) by (intros x Hx; apply mem_such_that_eq, Hpl, Hx).
  apply (filter_inside p r); auto. intros x _ H. apply insideb_inside. exact H.
Qed.

(** A box with a stride contains at most as many squares of a solution as the bound of the box. *)
Lemma count_lattice : forall k w rs given S stride corner box m, solution (problem_of b k w rs given) S ->
  1 <= stride -> length corner = length box -> at_most p box m ->
  count (mem (such_that b (in_lattice stride corner box))) S <= m.
Proof.
  intros k w rs given S stride corner box m HS Hs Hl Hm. destruct (solution_independent k w rs given S HS) as ((Hnd & _ & Hat) & _).
  destruct HS as (_ & Hpl & _). rewrite Forall_forall in Hpl.
  rewrite (count_map _ _ (in_lattice stride corner box) _ at_) by (intros x Hx; apply mem_such_that_eq, Hpl, Hx).
  apply (lattice_at_most p stride corner box m); assumption.
Qed.

(** Returns the sets of squares of each class of a box, with their weights. *)
Definition class_parts (stride : Z) (corner box weights : list Z) : list (Z * Z) :=
  map (fun j => (such_that b (in_class stride corner box j), nth j weights 0)) (seq 0 (Datatypes.S (length box))).

Lemma count_classes : forall k w rs given S stride corner box weights m, solution (problem_of b k w rs given) S ->
  p = Queen -> 1 <= stride -> length corner = length box -> of_ones_and_threes box = true -> Forall (fun n => 1 <= n) box ->
  right_weights (threes box) weights m ->
  fold_right (fun q n => snd q * count (mem (fst q)) S + n) 0 (class_parts stride corner box weights) <= m.
Proof.
  intros k w rs given S stride corner box weights m HS Hq Hs Hl Hb H1 Hw.
  destruct (solution_independent k w rs given S HS) as ((Hnd & _ & Hat) & _). rewrite Hq in Hat.
  destruct HS as (_ & Hpl & _). rewrite Forall_forall in Hpl.
  pose proof (classes_at_most stride corner box weights m (map at_ S) Hs Hl Hb H1 Hw Hnd Hat) as G.
  etransitivity; [| exact G]. apply Z.eq_le_incl. clear G. unfold class_parts, total.
  induction (seq 0 (Datatypes.S (length box))) as [| j l IH]; [reflexivity |]. cbn [map fold_right fst snd]. rewrite IH.
  rewrite (count_map _ _ (in_class stride corner box j) (mem (such_that b (in_class stride corner box j))) at_)
    by (intros x Hx; apply mem_such_that_eq, Hpl, Hx).
  reflexivity.
Qed.

(** A slab contains all squares of a solution except those outside it, whose number the bound of the rest
    limits. *)
Definition slab_test (a : nat) (from to : Z) (x : square) : bool := (from <=? nth a x 0) && (nth a x 0 <=? to).

Definition outside_slab (a : nat) (from to : Z) : cuboid :=
  let side := nth a sides 0 in
  with_axis a ((if from =? 0 then to + 1 else 0), side - (to - from + 1)) (whole sides).

Lemma count_slab : forall k w rs given S a from to m, solution (problem_of b k w rs given) S -> (a < length sides)%nat ->
  from = 0 \/ to = nth a sides 0 - 1 -> at_most p (map snd (outside_slab a from to)) m ->
  k - m <= count (mem (such_that b (slab_test a from to))) S.
Proof.
  intros k w rs given S a from to m HS Ha Hface Hm. destruct (solution_independent k w rs given S HS) as ((Hnd & Hon & Hat) & Hk).
  destruct HS as (_ & Hpl & _). rewrite Forall_forall in Hpl. rewrite Forall_forall in Hon.
  rewrite (count_map _ _ (slab_test a from to) _ at_) by (intros x Hx; apply mem_such_that_eq, Hpl, Hx).
  pose proof (count_split square (slab_test a from to) (map at_ S)) as Hsplit. rewrite map_length in Hsplit.
  enough (count (fun x => negb (slab_test a from to x)) (map at_ S) <= m) by lia.
  apply (filter_inside p (outside_slab a from to)); auto.
  intros x Hx Hf. unfold slab_test in Hf. apply negb_true_iff, andb_false_iff in Hf. rewrite !Z.leb_gt in Hf.
  assert (on_board sides x) as Hox by (apply Hon; exact Hx).
  destruct (nth_inside a sides x Hox Ha) as [H0 H1]. unfold outside_slab.
  apply inside_with_axis; [apply inside_whole; exact Hox | unfold whole; rewrite map_length; exact Ha |].
  destruct (Z.eqb_spec from 0); lia.
Qed.

(** A part of a cuboid contains all squares of a set in the cuboid except those before and after the part. *)
Definition part_before (a : nat) (from : Z) (r : cuboid) : cuboid :=
  let lo := fst (nth a r (0, 0)) in with_axis a (lo, from - lo) r.

Definition part_between (a : nat) (from to : Z) (r : cuboid) : cuboid := with_axis a (from, to - from + 1) r.

Definition part_after (a : nat) (to : Z) (r : cuboid) : cuboid :=
  let (lo, size) := nth a r (0, 0) in with_axis a (to + 1, lo + size - (to + 1)) r.

Lemma nth_cuboid : forall a r x, inside r x -> (a < length r)%nat ->
  fst (nth a r (0, 0)) <= nth a x 0 < fst (nth a r (0, 0)) + snd (nth a r (0, 0)).
Proof.
  unfold inside. induction a as [| a IH]; intros r x H Ha; inversion H as [| [lo size] c r' x' Hc Hx]; subst; simpl in *; try lia.
  apply IH; auto. lia.
Qed.

Lemma count_three : forall (f g1 g2 g3 : Z -> bool) S,
  (forall x, In x S -> f x = true -> g1 x = true \/ g2 x = true \/ g3 x = true) ->
  count f S <= count g1 S + count g2 S + count g3 S.
Proof.
  intros f g1 g2 g3 S H. induction S as [| x S IH]; [reflexivity |]. rewrite !count_cons.
  assert (count f S <= count g1 S + count g2 S + count g3 S) as G by (apply IH; intros y Hy; apply H; right; exact Hy).
  specialize (H x (or_introl eq_refl)).
  destruct (f x), (g1 x), (g2 x), (g3 x); try lia; destruct H as [H | [H | H]]; try reflexivity; discriminate.
Qed.

Lemma count_part : forall k w rs given S R r a from to m1 m2, solution (problem_of b k w rs given) S ->
  (forall x, is_place x -> mem R x = true -> inside r (at_ x)) -> (a < length r)%nat ->
  at_most p (map snd (part_before a from r)) m1 -> at_most p (map snd (part_after a to r)) m2 ->
  count (mem R) S - m1 - m2 <= count (mem (such_that b (insideb (part_between a from to r)))) S.
Proof.
  intros k w rs given S R r a from to m1 m2 HS HR Ha H1 H2.
  pose proof (count_cuboid k w rs given S _ m1 HS H1) as C1. pose proof (count_cuboid k w rs given S _ m2 HS H2) as C2.
  destruct HS as (_ & Hpl & _). rewrite Forall_forall in Hpl.
  pose proof (count_three (mem R) (mem (such_that b (insideb (part_before a from r))))
    (mem (such_that b (insideb (part_between a from to r)))) (mem (such_that b (insideb (part_after a to r)))) S) as Hthree.
  enough (count (mem R) S <= count (mem (such_that b (insideb (part_before a from r)))) S
    + count (mem (such_that b (insideb (part_between a from to r)))) S
    + count (mem (such_that b (insideb (part_after a to r)))) S) by lia.
  apply Hthree. intros x Hx Hm. specialize (Hpl x Hx). specialize (HR x Hpl Hm).
  rewrite !mem_such_that_eq, !insideb_inside by exact Hpl. pose proof (nth_cuboid a r (at_ x) HR Ha) as Hn.
  unfold part_before, part_between, part_after. destruct (nth a r (0, 0)) as [lo size]. simpl in *.
  destruct (Z.ltb_spec (nth a (at_ x) 0) from); [left | destruct (Z.leb_spec (nth a (at_ x) 0) to); right; [left | right]];
    apply inside_with_axis; auto; lia.
Qed.

(** * Symmetries *)

Lemma automorphismb_board : forall k w rs given g, sound_listing (problem_of b k w rs given) ->
  automorphismb (problem_of b k w rs given) (neighbours b) (count_up (size_of b) 0) g = true ->
  sound_automorphism (problem_of b k w rs given) g.
Proof.
  intros k w rs given g Hw. apply automorphismb_sound; [exact Hw | |].
  - intros x [H0 H1]. apply in_count_up. simpl in H1. lia.
  - intros x y Hx Hy H. apply neighbour_attacks; [exact Hx |]. apply mask_attacks; assumption.
Qed.

(** * The bound *)

Lemma independent_part : forall n S, independent p sides S -> independent p sides (firstn n S).
Proof.
  intros n S (Hnd & Hon & Hat). rewrite Forall_forall in Hon.
  assert (forall l : list square, incl (firstn n l) l) as Hincl.
  { intros l x Hx. rewrite <- (firstn_skipn n l). apply in_or_app. left. exact Hx. }
  split; [| split].
  - clear -Hnd. revert n. induction Hnd as [| x S Hx Hnd IH]; intros [| n]; simpl; constructor; [| apply IH].
    intro Hin. apply Hx. rewrite <- (firstn_skipn n S). apply in_or_app. left. exact Hin.
  - apply Forall_forall. intros x Hx. apply Hon, Hincl, Hx.
  - intros x y Hx Hy. apply Hat; apply Hincl; assumption.
Qed.

(** If there is no solution, the bound holds: a larger set would have a part with one square more than the
    bound. *)
Lemma refuted_at_most : forall k rs, 0 <= k -> ~ some_solution (problem_of b (k + 1) nothing_listed rs []) -> at_most p sides k.
Proof.
  intros k rs H0 H S HS. destruct (Z.leb_spec (Z.of_nat (length S)) k) as [Hle | Hlt]; [exact Hle |].
  exfalso. apply H.
  destruct (independent_solution (k + 1) (firstn (Z.to_nat (k + 1)) S)) as (S' & _ & HS');
    [apply independent_part; exact HS | rewrite firstn_length_le; lia | exists S'; exact HS'].
Qed.

Lemma everything : forall k w rs given x, place (problem_of b k w rs given) x -> mem (such_that b (fun _ => true)) x = true.
Proof. intros k w rs given x Hx. apply mem_such_that. split; [exact Hx | reflexivity]. Qed.

(** * Lists of sets *)

(** Returns the code of a square, which decreases with its number. The keys of sets therefore decrease if the
    sets, as increasing lists of numbers, increase. *)
Definition code (x : square) : Z := volume sides - 1 - number_of sides x.

Definition square_key (S : list square) : Z := set_of (map code S).

Lemma number_of_bounds : forall s x n, on_board s x -> 0 <= n ->
  0 <= fold_left (fun n '(side, c) => n * side + c) (combine s x) n <= (n + 1) * volume s - 1.
Proof.
  assert (forall s x, on_board s x -> 0 <= volume s) as Hvolume.
  { intros s x H. unfold volume. induction H as [| side c s x Hc H IH]; simpl; [lia | nia]. }
  intros s x n H. revert n. induction H as [| side c s x Hc H IH]; intros n Hn; [simpl; lia |].
  specialize (IH (n * side + c)). pose proof (Hvolume s x H) as Hv.
  change (volume (side :: s)) with (side * volume s). cbn [combine fold_left]. nia.
Qed.

Lemma code_nonneg : forall x, on_board sides x -> 0 <= code x.
Proof. intros x H. pose proof (number_of_bounds sides x 0 H). unfold code, number_of. lia. Qed.

(** Returns the place of a square. *)
Definition place_of (x : square) : Z := get (-1) (numbers b) (number_of sides x).

Lemma place_of_at : forall x, is_place x -> place_of (at_ x) = x.
Proof.
  intros x Hx. destruct made_is as (_ & Hs & _ & _ & _ & _ & _ & Hd). unfold place_of. rewrite <- Hs.
  unfold distinct in Hd. rewrite forallb_forall in Hd. apply Z.eqb_eq. apply Hd. apply in_count_up. destruct Hx. lia.
Qed.

Lemma place_of_right : forall x, on_board sides x -> is_place (place_of x) /\ at_ (place_of x) = x.
Proof. intros x Hx. destruct (at_onto x Hx) as (i & Hi & <-). rewrite place_of_at by exact Hi. auto. Qed.

Lemma code_injective : forall x y, on_board sides x -> on_board sides y -> code x = code y -> x = y.
Proof.
  intros x y Hx Hy E. assert (place_of x = place_of y) as Ep by (unfold place_of; unfold code in E; f_equal; lia).
  destruct (place_of_right x Hx) as [_ <-]. rewrite Ep. apply place_of_right. exact Hy.
Qed.

Lemma square_key_In : forall S x, Forall (on_board sides) S -> on_board sides x -> mem (square_key S) (code x) = true <-> In x S.
Proof.
  intros S x HS Hx. unfold square_key. rewrite Forall_forall in HS. rewrite mem_set_of.
  - rewrite in_map_iff. split; [| intro H; exists x; auto]. intros (y & E & Hy).
    rewrite (code_injective x y); auto.
  - intros y Hy. apply in_map_iff in Hy. destruct Hy as (z & <- & Hz). apply code_nonneg. auto.
Qed.

Lemma square_key_permutation : forall S S', Forall (on_board sides) S -> Permutation S S' -> square_key S = square_key S'.
Proof.
  intros S S' HS H. unfold square_key, set_of. apply (Permutation_map code) in H.
  assert (forall y, In y (map code S) -> 0 <= y) as H0.
  { intros y Hy. apply in_map_iff in Hy. destruct Hy as (z & <- & Hz). rewrite Forall_forall in HS. apply code_nonneg. auto. }
  pose proof (mem_set_of (map code S)) as G. pose proof (mem_set_of (map code S')) as G'. unfold set_of in G, G'.
  apply Z.bits_inj. intro i. specialize (G i H0). specialize (G' i).
  assert (forall y, In y (map code S') -> 0 <= y) as H0' by (intros y Hy; apply H0, (Permutation_in _ (Permutation_sym H)), Hy).
  specialize (G' H0'). assert (In i (map code S) <-> In i (map code S')) as E.
  { split; apply Permutation_in; [exact H | apply Permutation_sym; exact H]. }
  destruct (mem (fold_left Z.setbit (map code S) 0) i), (mem (fold_left Z.setbit (map code S') 0) i); try reflexivity.
  - symmetry. apply G', E, G. reflexivity.
  - apply G, E, G'. reflexivity.
Qed.

(** Returns the list of sets of places for sets of squares with their keys. *)
Definition listing_of (found : list (list square * Z)) : listing :=
  {| sets := map (fun '(A, _) => map place_of A) found;
     codes := table_of (map code (squares b));
     keys := table_of (map snd found);
     how_many := Z.of_nat (length found) |}.

Definition right_found (k : Z) (found : list (list square * Z)) : Prop :=
  Forall (fun '(A, key) => independent p sides A /\ Z.of_nat (length A) = k /\ key = square_key A) found.

Lemma listing_of_sound : forall k k' rs given found, right_found k' found ->
  sound_listing (problem_of b k (listing_of found) rs given).
Proof.
  intros k k' rs given found H. unfold right_found in H. rewrite Forall_forall in H. split.
  - intros l Hl. apply in_map_iff in Hl. destruct Hl as ([A key] & <- & Hin). destruct (H _ Hin) as ((_ & Hon & _) & _).
    rewrite Forall_forall in Hon. apply Forall_forall. intros y Hy. apply in_map_iff in Hy. destruct Hy as (x & <- & Hx).
    apply place_of_right. apply Hon. exact Hx.
  - intros P HP Hl. change (is_listed (listing_of found) P = true) in Hl. apply is_listed_In in Hl.
    change (keys (listing_of found)) with (map snd found) in Hl. apply in_map_iff in Hl. destruct Hl as ([A key] & E & Hin).
    destruct (H _ Hin) as ((_ & Hon & _) & _ & Hkey). cbn [snd] in E. rewrite Hkey in E. exists (map place_of A).
    split; [apply in_map_iff; exists (A, key); auto |]. rewrite Forall_forall in HP.
    assert (key_of (listing_of found) P = square_key (map at_ P)) as EP.
    { unfold key_of, square_key. f_equal. rewrite map_map. apply map_ext_in. intros x Hx. simpl. apply get_map. apply HP. exact Hx. }
    rewrite EP in E.
    assert (Forall (on_board sides) (map at_ P)) as HonP.
    { apply Forall_forall. intros y Hy. apply in_map_iff in Hy. destruct Hy as (x & <- & Hx). apply at_on_board, HP, Hx. }
    assert (forall x, on_board sides x -> In x A <-> In x (map at_ P)) as Hsame.
    { intros x Hx. rewrite <- (square_key_In A x Hon Hx), <- (square_key_In (map at_ P) x HonP Hx), E. reflexivity. }
    intro x. rewrite in_map_iff. rewrite Forall_forall in Hon. split.
    + intros (y & <- & Hy). apply Hsame in Hy; [| apply Hon; exact Hy]. apply in_map_iff in Hy. destruct Hy as (z & <- & Hz).
      rewrite place_of_at by (apply HP; exact Hz). exact Hz.
    + intro Hx. exists (at_ x). split; [apply place_of_at, HP, Hx |]. apply Hsame; [apply at_on_board, HP, Hx |]. apply in_map. exact Hx.
Qed.

(** If there is no solution, all sets of [k] squares are listed. *)
Lemma refuted_others : forall k rs found S, right_found k found ->
  ~ some_solution (problem_of b k (listing_of found) rs []) -> independent p sides S -> Z.of_nat (length S) = k ->
  exists A, In A (map fst found) /\ Permutation S A.
Proof.
  intros k rs found S Hf H HS Hk. destruct (independent_solution k S HS Hk) as (S' & <- & Hsol).
  unfold right_found in Hf. rewrite Forall_forall in Hf.
  set (alike := fun A : list square => forallb (among (map place_of A)) S' && forallb (among S') (map place_of A)).
  destruct (existsb alike (map fst found)) eqn:E.
  - apply existsb_exists in E. destruct E as (A & HA & E). exists A. split; [exact HA |].
    unfold alike in E. apply andb_prop in E. rewrite !forallb_forall in E. destruct E as [E1 E2].
    apply in_map_iff in HA. destruct HA as ([A' key] & E & HA). simpl in E. subst A'.
    destruct (Hf _ HA) as ((Hnd & Hon & _) & _). rewrite Forall_forall in Hon.
    assert (map at_ (map place_of A) = A) as EA.
    { rewrite map_map. rewrite <- (map_id A) at 2. apply map_ext_in. intros x Hx. apply place_of_right. apply Hon. exact Hx. }
    rewrite <- EA. apply Permutation_map. apply NoDup_Permutation.
    + apply Hsol.
    + apply (NoDup_map_inv at_). rewrite EA. exact Hnd.
    + intro x. split; intro Hx; apply among_In; [apply E1 | apply E2]; exact Hx.
  - exfalso. apply H. exists S'. destruct Hsol as (H1 & H2 & H3 & H4 & _).
    split; [| split; [| split; [| split; [| split]]]]; try assumption; [intros R m [] |].
    intros l Hl Hsame. apply in_map_iff in Hl. destruct Hl as ([A key] & <- & HA).
    assert (existsb alike (map fst found) = true) as Hc; [| congruence]. apply existsb_exists. exists A.
    split; [apply in_map_iff; exists (A, key); auto |]. unfold alike. apply andb_true_intro.
    split; apply forallb_forall; intros x Hx; apply among_In; apply Hsame; exact Hx.
Qed.

End Board.
