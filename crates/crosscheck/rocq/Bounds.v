(** Bounds by the orbit LP: files of inequalities with multipliers, which are summed over the symmetries of the board. The format is
    that of crates/crosscheck/src/bound.rs. *)

From NDQ Require Import Definitions Boxes Certificates Text Proofs Orbits.
From Coq Require Import Sorted Relations.

(** * Cliques *)

Lemma independent_hits : forall p sides S l, independent p sides S ->
  total (times_in l) S = total (fun c => if in_dec (list_eq_dec Z.eq_dec) c S then 1 else 0) l.
Proof.
  intros p sides S l (Hnd & _ & _). unfold times_in. rewrite total_swap. apply total_ext. intros c _.
  change (total (is c) S = if in_dec (list_eq_dec Z.eq_dec) c S then 1 else 0). apply total_is. exact Hnd.
Qed.

Definition clique (p : piece) (l : list square) : Prop := ForallOrdPairs (attacks p) l.

Lemma clique_at_most : forall p sides l S, clique p l -> independent p sides S -> total (times_in l) S <= 1.
Proof.
  intros p sides l S Hl HS. rewrite (independent_hits p sides) by exact HS. destruct HS as (_ & _ & Hat).
  induction Hl as [| x l Hx Hl IH]; [simpl; lia |]. cbn [total fold_right].
  fold (total (fun c => if in_dec (list_eq_dec Z.eq_dec) c S then 1 else 0) l).
  destruct (in_dec (list_eq_dec Z.eq_dec) x S) as [Hin |]; [| exact IH].
  rewrite (total_ext _ _ (fun _ => 0)); [rewrite total_constant; lia |].
  intros c Hc. destruct (in_dec (list_eq_dec Z.eq_dec) c S) as [Hc' |]; [| reflexivity].
  rewrite Forall_forall in Hx. destruct (Hat x c Hin Hc' (Hx c Hc)).
Qed.

Fixpoint pairwise (p : piece) (l : list square) : bool :=
  match l with
  | [] => true
  | x :: l' => if forallb (attacksb p x) l' then pairwise p l' else false
  end.

Lemma pairwise_clique : forall p l, pairwise p l = true -> clique p l.
Proof.
  intros p l. induction l as [| x l IH]; simpl; intro H; [constructor |].
  destruct (forallb (attacksb p x) l) eqn:E; [| discriminate]. constructor; [| apply IH; exact H].
  apply Forall_forall. rewrite forallb_forall in E. intros y Hy. apply attacksb_attacks, E. exact Hy.
Qed.

(** Different squares of a cube of side 2 attack each other as queens. *)
Fixpoint lows (a b : square) : square :=
  match a, b with
  | x :: a', y :: b' => (if x <=? y then x else y) :: lows a' b'
  | _, _ => []
  end.

Fixpoint in_cube (low x : square) : bool :=
  match low, x with
  | [], [] => true
  | lo :: low', c :: x' => (lo <=? c) && (c <=? lo + 1) && in_cube low' x'
  | _, _ => false
  end.

Fixpoint before (a b : list Z) : bool :=
  match a, b with
  | [], [] => false
  | [], _ :: _ => true
  | _ :: _, [] => false
  | x :: a', y :: b' => if x <? y then true else if y <? x then false else before a' b'
  end.

Fixpoint ascending (l : list (list Z * Z)) : bool :=
  match l with
  | a :: (b :: _) as l' => before (fst a) (fst b) && ascending l'
  | _ => true
  end.

Definition is_cube (p : piece) (l : list square) : bool :=
  match p, l with
  | Queen, x :: l' => forallb (in_cube (fold_left lows l' x)) l && ascending (EntrySort.sort (map (fun y => (y, 0)) l))
  | _, _ => false
  end.

Lemma before_irreflexive : forall a, before a a = false.
Proof. induction a as [| x a IH]; simpl; [reflexivity |]. rewrite Z.ltb_irrefl. exact IH. Qed.

Lemma before_transitive : forall a b c, before a b = true -> before b c = true -> before a c = true.
Proof.
  induction a as [| x a IH]; intros [| y b] [| z c]; simpl; try discriminate; auto.
  destruct (Z.ltb_spec x y); destruct (Z.ltb_spec y x); try discriminate;
    destruct (Z.ltb_spec y z); destruct (Z.ltb_spec z y); try discriminate;
    destruct (Z.ltb_spec x z); destruct (Z.ltb_spec z x); try lia; auto.
  apply IH.
Qed.

Lemma ascending_NoDup : forall l, ascending l = true -> NoDup (map fst l).
Proof.
  intros l H. assert (StronglySorted (fun a b => before (fst a) (fst b) = true) l) as G.
  { apply Sorted_StronglySorted; [intros a b c; apply before_transitive |].
    induction l as [| a [| b l] IH]; [constructor | repeat constructor |].
    simpl in H. apply andb_prop in H. destruct H as [H1 H2]. constructor; [apply IH; exact H2 | constructor; exact H1]. }
  clear H. induction G as [| a l G IH Ha]; simpl; constructor; [| exact IH].
  intro Hin. apply in_map_iff in Hin. destruct Hin as (b & E & Hb). rewrite Forall_forall in Ha. specialize (Ha b Hb).
  simpl in Ha. rewrite E, before_irreflexive in Ha. discriminate.
Qed.

Lemma in_cube_attacks : forall low x y, in_cube low x = true -> in_cube low y = true -> x <> y -> attacks Queen x y.
Proof.
  intros low x y Hx Hy Hne. apply attacks_near. exists 1. split; [lia |].
  assert (near 1 x y) as Hn.
  { clear Hne. revert x y Hx Hy. induction low as [| lo low IH]; intros [| c x] [| d y] Hx Hy; try discriminate; [constructor |].
    simpl in Hx, Hy. apply andb_prop in Hx. destruct Hx as [Hc Hx]. apply andb_prop in Hy. destruct Hy as [Hd Hy].
    apply andb_prop in Hc. apply andb_prop in Hd. rewrite !Z.leb_le in Hc, Hd. constructor; [lia | apply IH; assumption]. }
  split; [exact Hn |]. simpl. destruct (differ x y) eqn:E; [| reflexivity]. destruct (Hne (near_equal 1 x y Hn E)).
Qed.

Lemma is_cube_clique : forall p l, is_cube p l = true -> clique p l.
Proof.
  intros [| |] [| x l] H; try discriminate. unfold is_cube in H. set (low := fold_left lows l x) in H.
  apply andb_prop in H. destruct H as [Hc Ha]. rewrite forallb_forall in Hc. apply ascending_NoDup in Ha.
  assert (NoDup (x :: l)) as Hnd.
  { apply (Permutation_NoDup (l := map fst (EntrySort.sort (map (fun y => (y, 0)) (x :: l))))); [| exact Ha].
    transitivity (map fst (map (fun y : list Z => (y, 0)) (x :: l))).
    - apply Permutation_map. symmetry. apply EntrySort.Permuted_sort.
    - rewrite map_map, map_id. reflexivity. }
  clear Ha. clearbody low. revert Hc Hnd. generalize (x :: l). clear x l. intros l Hc Hnd.
  induction Hnd as [| x l Hx Hnd IH]; constructor.
  - apply Forall_forall. intros y Hy. apply (in_cube_attacks low).
    + apply Hc. left. reflexivity.
    + apply Hc. right. exact Hy.
    + intros ->. contradiction.
  - apply IH. intros y Hy. apply Hc. right. exact Hy.
Qed.

Definition is_clique (p : piece) (l : list square) : bool := if is_cube p l then true else pairwise p l.

(** * Boxes *)

Definition half (n : Z) : Z := (n + 1) / 2.

(** A box falls into boxes of side 2 or less, which hold a queen each. *)
Lemma at_most_cubes : forall sides, Forall (fun n => 0 <= n) sides -> at_most Queen sides (volume (map half sides)).
Proof.
  intros sides Hs S (Hnd & Hon & Hat). rewrite Forall_forall in Hon.
  set (f := map (fun c => c / 2) : square -> square).
  assert (forall x, on_board sides x -> on_board (map half sides) (f x)) as Hf.
  { clear -Hs f. intros x Hx. induction Hx as [| n c s x Hc Hx IH]; [constructor |]. inversion Hs; subst.
    constructor; [| apply IH; assumption]. unfold half. split; [apply Z.div_pos; lia |]. apply Z.div_lt_upper_bound; [lia |].
    pose proof (Z.mul_div_le (n + 1) 2). pose proof (Z.mod_pos_bound (n + 1) 2). pose proof (Z.div_mod (n + 1) 2). lia. }
  assert (forall x y, on_board sides x -> on_board sides y -> f x = f y -> near 1 x y) as Hnear.
  { clear. intros x y Hx. revert y. induction Hx as [| n c s x Hc Hx IH]; intros y Hy E; inversion Hy as [| ? d ? y' Hd Hy']; subst.
    - constructor.
    - injection E as E1 E2. constructor; [| apply IH; assumption].
      pose proof (Z.div_mod c 2). pose proof (Z.div_mod d 2).
      pose proof (Z.mod_pos_bound c 2). pose proof (Z.mod_pos_bound d 2). lia. }
  rewrite <- length_squares_of, <- (map_length f S).
  - apply inj_le. apply NoDup_incl_length.
    + clear Hs Hf. induction Hnd as [| x S Hx Hnd IH]; simpl; constructor.
      * intro Hin. apply in_map_iff in Hin. destruct Hin as (y & E & Hy).
        pose proof (Hnear x y (Hon x (or_introl eq_refl)) (Hon y (or_intror Hy)) (eq_sym E)) as Hn.
        apply (Hat x y (or_introl eq_refl) (or_intror Hy)). apply attacks_near. exists 1. split; [lia |]. split; [exact Hn |].
        simpl. destruct (differ x y) eqn:D; [| reflexivity]. apply (near_equal 1 x y Hn) in D. subst y. contradiction.
      * apply IH; intros; [apply Hon | apply Hat]; right; assumption.
    + intros y Hy. apply in_map_iff in Hy. destruct Hy as (x & <- & Hx). apply in_squares_of, Hf, Hon. exact Hx.
  - apply Forall_forall. intros m Hm. apply in_map_iff in Hm. destruct Hm as (n & <- & Hn).
    rewrite Forall_forall in Hs. specialize (Hs n Hn). unfold half. apply Z.div_pos; lia.
Qed.

(** What needs no proof. *)
Definition known_bound (p : piece) (sides : list Z) : Z :=
  match p with
  | Bishop => volume sides
  | Rook => lines_bound sides
  | Queen => let lines := lines_bound sides in let cubes := volume (map half sides) in if lines <=? cubes then lines else cubes
  end.

Lemma known_bound_right : forall p sides, sides <> [] -> Forall (fun n => 0 <= n) sides -> at_most p sides (known_bound p sides).
Proof.
  intros p sides Hne Hs. destruct p; simpl.
  - destruct (lines_bound sides <=? volume (map half sides)); [apply at_most_lines | apply at_most_cubes]; auto; discriminate.
  - apply at_most_lines; auto; discriminate.
  - apply at_most_volume. exact Hs.
Qed.

(** Sides in increasing order, without those of 1. *)
Definition reduced (sides : list Z) : list Z :=
  match filter (fun n => 1 <? n) (sorted_sides sides) with
  | [] => [1]
  | s => s
  end.

Lemma at_most_longer : forall p sides b, Forall (fun n => 1 <= n) sides -> at_most p (filter (fun n => 1 <? n) sides) b ->
  at_most p sides b.
Proof.
  intros p sides b Hs Hb S (Hnd & Hon & Hat). rewrite Forall_forall in Hon.
  set (f := fun x : square => map snd (filter (fun q => 1 <? fst q) (combine sides x))).
  apply (at_most_map p (filter (fun n => 1 <? n) sides) b f S); auto.
  - intros x Hx. specialize (Hon x Hx). clear -Hon. unfold f. induction Hon as [| n c s x Hc H IH]; simpl; [constructor |].
    destruct (1 <? n); simpl; [constructor; assumption | exact IH].
  - intros x y Hx Hy. specialize (Hon x Hx) as Ox. specialize (Hon y Hy) as Oy. split.
    { rewrite (on_board_length sides x), (on_board_length sides y); auto. }
    clear -Hs Ox Oy. unfold f. revert y Oy. induction Ox as [| n c s x Hc H IH]; intros y Oy; inversion Oy as [| ? d ? y' Hd Hy']; subst.
    + split; auto.
    + inversion Hs; subst. destruct (IH H3 y' Hy') as [Hn He]. simpl. destruct (Z.ltb_spec 1 n); simpl.
      * split; [| rewrite He; reflexivity]. intros m Hm. inversion Hm; subst. constructor; [assumption | apply Hn; assumption].
      * assert (c = d) as <- by lia. rewrite Z.eqb_refl. split; [| exact He].
        intros m Hm. constructor; [left; reflexivity | apply Hn; exact Hm].
Qed.

Lemma at_most_point : forall p b, at_most p [1] b -> at_most p [] b.
Proof.
  intros p b Hb S (Hnd & Hon & Hat). rewrite Forall_forall in Hon.
  apply (at_most_map p [1] b (fun _ => [0]) S); auto.
  - intros x _. repeat constructor; lia.
  - intros x y Hx Hy. specialize (Hon x Hx) as Ox. specialize (Hon y Hy) as Oy. inversion Ox. inversion Oy.
    repeat split; auto. intros. constructor.
Qed.

Lemma at_most_reduced : forall p sides b, Forall (fun n => 1 <= n) sides -> at_most p (reduced sides) b -> at_most p sides b.
Proof.
  intros p sides b Hs Hb. pose proof (sorted_permutation sides) as P.
  apply (at_most_permutation p (sorted_sides sides)); [exact P |]. apply at_most_longer.
  - apply (Permutation_Forall (x := sides)); [symmetry; exact P | exact Hs].
  - unfold reduced in Hb. destruct (filter _ _); [apply at_most_point; exact Hb | exact Hb].
Qed.

(** The squares [corner + stride * offset] lie on the board, for the offsets in the box. *)
Fixpoint fits (stride : Z) (corner box sides : list Z) : bool :=
  match corner, box, sides with
  | [], [], [] => true
  | lo :: corner', e :: box', n :: sides' =>
      (0 <=? lo) && (1 <=? e) && (lo + stride * (e - 1) <? n) && fits stride corner' box' sides'
  | _, _, _ => false
  end.

Definition steps (stride : Z) (corner box : list Z) : list (list Z) :=
  map (fun '(lo, e) => map (fun t => lo + stride * t) (count_up (Z.to_nat e) 0)) (combine corner box).

Definition placed (stride : Z) (corner offset : list Z) : square := map (fun '(lo, t) => lo + stride * t) (combine corner offset).

Lemma choices_placed : forall stride corner box, length corner = length box ->
  choices (steps stride corner box) = map (placed stride corner) (squares_of box).
Proof.
  intros stride. induction corner as [| lo corner IH]; intros [| e box] H; try discriminate; [reflexivity |].
  injection H as H. unfold steps in *. cbn [combine map choices squares_of]. rewrite IH by exact H.
  generalize (count_up (Z.to_nat e) 0). intro l. induction l as [| t l IHl]; [reflexivity |].
  cbn [map flat_map]. rewrite map_app, !map_map, IHl. reflexivity.
Qed.

Lemma placed_keeps : forall stride corner a b m, 1 <= stride -> length a = length corner -> length b = length corner ->
  near m a b -> near (stride * m) (placed stride corner a) (placed stride corner b) /\
  differ (placed stride corner a) (placed stride corner b) = differ a b.
Proof.
  intros stride corner a b m Hs Ha Hb H. revert corner Ha Hb.
  induction H as [| x y a b Hxy H IH]; intros [| lo corner] Ha Hb; try discriminate; [split; [constructor | reflexivity] |].
  injection Ha as Ha. injection Hb as Hb. destruct (IH corner Ha Hb) as [Hn Hd]. unfold placed in *. cbn [combine map differ]. split.
  - constructor; [| exact Hn]. destruct Hxy as [-> | Hxy]; [left; reflexivity | right].
    replace (lo + stride * y - (lo + stride * x)) with (stride * (y - x)) by lia. rewrite Z.abs_mul. nia.
  - rewrite Hd. destruct (Z.eqb_spec (lo + stride * x) (lo + stride * y)); destruct (Z.eqb_spec x y); try reflexivity; exfalso; nia.
Qed.

Lemma placed_on_board : forall stride corner box sides x, 1 <= stride -> fits stride corner box sides = true -> on_board box x ->
  on_board sides (placed stride corner x).
Proof.
  intros stride. induction corner as [| lo corner IH]; intros [| e box] [| n sides] x Hs H Hx; try discriminate.
  - constructor.
  - inversion Hx as [| ? t ? x' Ht Hx']; subst. cbn [fits] in H. apply andb_prop in H. destruct H as [H Hf].
    apply andb_prop in H. destruct H as [H H3]. apply andb_prop in H. destruct H as [H1 H2].
    apply Z.leb_le in H1. apply Z.leb_le in H2. apply Z.ltb_lt in H3.
    constructor; [nia |]. apply (IH box); assumption.
Qed.

Lemma fits_length : forall stride corner box sides, fits stride corner box sides = true ->
  length corner = length box /\ length box = length sides /\ Forall (fun n => 1 <= n) box.
Proof.
  intros stride. induction corner as [| lo corner IH]; intros [| e box] [| n sides] H; try discriminate; [repeat split; constructor |].
  cbn [fits] in H. apply andb_prop in H. destruct H as [H Hf]. apply andb_prop in H. destruct H as [H _].
  apply andb_prop in H. destruct H as [_ H2]. apply Z.leb_le in H2. destruct (IH box sides Hf) as (E1 & E2 & E3).
  simpl. repeat split; try congruence. constructor; assumption.
Qed.

(** Squares that attack each other in a box do so when all their differences are multiplied by the same number. *)
Lemma box_at_most : forall p sides stride corner box b S, 1 <= stride -> fits stride corner box sides = true -> at_most p box b ->
  independent p sides S -> total (times_in (choices (steps stride corner box))) S <= b.
Proof.
  intros p sides stride corner box b S Hs Hf Hb HS. rewrite (independent_hits p sides) by exact HS.
  destruct (fits_length _ _ _ _ Hf) as (Hl & _ & _). rewrite choices_placed, total_map by exact Hl.
  set (t := fun o => if in_dec (list_eq_dec Z.eq_dec) (placed stride corner o) S then true else false).
  assert (Z.of_nat (length (filter t (squares_of box))) <= b) as G.
  { apply Hb. split; [apply NoDup_filter, NoDup_squares_of |]. split.
    - apply Forall_forall. intros x Hx. apply filter_In in Hx. apply squares_of_on_board. tauto.
    - destruct HS as (_ & _ & Hat). intros x y Hx Hy Ha. apply filter_In in Hx. apply filter_In in Hy.
      destruct Hx as [Bx Hx]. destruct Hy as [By Hy]. unfold t in Hx, Hy.
      destruct (in_dec (list_eq_dec Z.eq_dec) (placed stride corner x) S) as [Ix |]; [| discriminate].
      destruct (in_dec (list_eq_dec Z.eq_dec) (placed stride corner y) S) as [Iy |]; [| discriminate].
      apply squares_of_on_board, on_board_length in Bx. apply squares_of_on_board, on_board_length in By.
      apply (Hat _ _ Ix Iy). apply attacks_near in Ha. destruct Ha as (m & Hm & Hn & Hmv). apply attacks_near.
      destruct (placed_keeps stride corner x y m Hs) as [Hn' Hd]; try congruence.
      exists (stride * m). split; [nia |]. split; [exact Hn' |]. rewrite Hd. exact Hmv. }
  rewrite <- (Z.mul_1_r (Z.of_nat _)), <- total_constant, total_filter in G.
  erewrite total_ext; [exact G |]. intros o _. unfold t. destruct (in_dec (list_eq_dec Z.eq_dec) _ S); reflexivity.
Qed.

(** * Rows *)

(** A multiplier and what it is taken of. *)
Record row := { above : Z; below : Z; row_most : Z; row_keys : entries }.

Definition right_row (p : piece) (sides : list Z) (r : row) : Prop := holds p sides (row_most r) (row_keys r).

Definition common_denominator (rows : list row) : Z := fold_left (fun d r => d / Z.gcd d (below r) * below r) rows 1.

Definition times_denominator (d : Z) (r : row) : inequality :=
  {| times := above r * (d / below r); most := row_most r; keys := row_keys r |}.

(** Whether the rows count every square once or more, and add up to less than [k + 1]. *)
Inductive verdict := AddsUp | CountsTooFew | AddsUpToMore.

Definition judged (sides : list Z) (rows : list row) (k : Z) : verdict :=
  let d := common_denominator rows in
  let exact := map (times_denominator d) rows in
  if (0 <? d) && forallb (fun r => 0 <=? times r) exact && covers sides d exact then
    if right_side exact <? d * (k + 1) then AddsUp else AddsUpToMore
  else CountsTooFew.

Lemma judged_right : forall p sides rows k, Forall (right_row p sides) rows -> judged sides rows k = AddsUp -> at_most p sides k.
Proof.
  intros p sides rows k Hr H. unfold judged in H. set (d := common_denominator rows) in *.
  set (exact := map (times_denominator d) rows) in *.
  destruct (_ && _ && _) eqn:E; [| discriminate]. destruct (Z.ltb_spec (right_side exact) (d * (k + 1))) as [Hless |]; [| discriminate].
  apply andb_prop in E. destruct E as [E Hc]. apply andb_prop in E. destruct E as [Hd H0]. apply Z.ltb_lt in Hd.
  intros S HS. rewrite forallb_forall in H0.
  pose proof (summed p sides d exact) as G. specialize (fun F => G F Hc S HS).
  assert (d * Z.of_nat (length S) <= right_side exact); [| nia]. apply G. apply Forall_forall. intros r Hin.
  split; [apply Z.leb_le, H0; exact Hin |]. apply in_map_iff in Hin. destruct Hin as (r' & <- & Hin).
  rewrite Forall_forall in Hr. exact (Hr r' Hin).
Qed.

(** * Numbers and squares *)

Definition most_digits : Z := 10000.
Definition past_coordinates : Z := Eval compute in 2 ^ 30.
Definition most_box_squares : Z := Eval compute in 2 ^ 27.
Definition most_orbits : Z := Eval compute in 2 ^ 22.

Fixpoint long_digits (w : list Z) (n : Z) : option Z :=
  match w with
  | [] => Some n
  | c :: w' => if digit c then long_digits w' (ten * n + (c - zero_digit)) else None
  end.

Definition long_number (w : list Z) : option Z :=
  match w with
  | [] => None
  | [_] => long_digits w 0
  | c :: _ => if (c =? zero_digit) || (most_digits <? Z.of_nat (length w)) then None else long_digits w 0
  end.

(** A fraction that is not negative. *)
Definition multiplier (w : list Z) : option (Z * Z) :=
  match split slash w with
  | [a] => match long_number a with Some m => Some (m, 1) | None => None end
  | [a; b] =>
      match long_number a, long_number b with
      | Some m, Some n => if 0 <? n then Some (m, n) else None
      | _, _ => None
      end
  | _ => None
  end.

Definition small_number (w : list Z) : option Z :=
  match number w with
  | Some n => if n <? past_coordinates then Some n else None
  | None => None
  end.

Definition board_square (sides : list Z) (w : list Z) : option square :=
  match all_of small_number (split comma w) [] with
  | Some x => if insideb (whole sides) x then Some x else None
  | None => None
  end.

Lemma board_square_on_board : forall sides w x, board_square sides w = Some x -> on_board sides x.
Proof.
  intros sides w x. unfold board_square. destruct (all_of _ _ _) as [y |]; [| discriminate].
  destruct (insideb (whole sides) y) eqn:E; [| discriminate]. intros [= <-]. apply inside_whole, insideb_inside. exact E.
Qed.

(** The number of orbits, for sides in increasing order. *)
Fixpoint orbits_of (sides : list Z) (last run orbits : Z) : Z :=
  match sides with
  | [] => orbits
  | n :: s =>
      let run' := if n =? last then run + 1 else 1 in
      let orbits' := orbits * (half n + run' - 1) / run' in
      if most_orbits <? orbits' then orbits' else orbits_of s n run' orbits'
  end.

(** * States *)

Inductive bound_fault :=
  | BoundHeader | BoundBoard | BoundOrder | BoundLarge | BoundPlain | BoundSpaced | BoundLong | BoundKind
  | BoundNeed | BoundTwice | BoundMultiplier | BoundSquare | BoundClique | BoundNumbers | BoundOutside | BoundItself | BoundSquares
  | BoundNothing | BoundCounted | BoundMore | BoundEnd | BoundAfter.

Inductive stage :=
  | OnHeader | OnBoard | OnRows
  | OnEnd (k : Z)
  | Accepted (k : Z)
  | Refused (f : bound_fault).

Record sums := {
  sums_piece : piece;
  sums_sides : list Z;
  stated : lemmas;           (* bounds that are needed *)
  used : lemmas;             (* those of them that a row rests on *)
  rows : list row;
  on : stage
}.

Definition at_stage (s : sums) (q : stage) : sums :=
  {| sums_piece := sums_piece s; sums_sides := sums_sides s; stated := stated s; used := used s; rows := rows s; on := q |}.

Definition refused (s : sums) (f : bound_fault) : sums := at_stage s (Refused f).

Definition right_stage (p : piece) (sides : list Z) (q : stage) : Prop :=
  match q with
  | OnEnd k => at_most p sides k
  | Accepted k => at_most p sides k
  | _ => True
  end.

(** All is right if what is needed holds. *)
Definition right_sums (s : sums) : Prop :=
  right_lemmas (sums_piece s) (used s) ->
  Forall (right_row (sums_piece s) (sums_sides s)) (rows s) /\ right_stage (sums_piece s) (sums_sides s) (on s).

Lemma right_refused : forall s f, right_sums s -> right_sums (refused s f).
Proof. intros s f H U. split; [apply H; exact U | exact I]. Qed.

Definition same_piece (p q : piece) : bool :=
  match p, q with
  | Queen, Queen | Rook, Rook | Bishop, Bishop => true
  | _, _ => false
  end.

Definition needs_line (s : sums) (board value : list Z) : sums :=
  match board_named board, number value with
  | Some (p, sides), Some k =>
      if same_piece p (sums_piece s) then
        match find_bound (reduced sides) (stated s) with
        | Some _ => refused s BoundTwice
        | None =>
            {| sums_piece := sums_piece s; sums_sides := sums_sides s; stated := (reduced sides, k) :: stated s; used := used s;
               rows := rows s; on := OnRows |}
        end
      else refused s BoundNeed
  | _, _ => refused s BoundNeed
  end.

Lemma needs_line_right : forall s board value, right_sums s -> right_sums (needs_line s board value).
Proof.
  intros s board value H. unfold needs_line. destruct (board_named board) as [[p sides] |]; [| apply right_refused; exact H].
  destruct (number value); [| apply right_refused; exact H]. destruct (same_piece p (sums_piece s)); [| apply right_refused; exact H].
  destruct (find_bound (reduced sides) (stated s)); [apply right_refused; exact H |].
  intro U. split; [apply H; exact U | exact I].
Qed.

(** One row more, which may rest on bounds that are needed. *)
Definition with_row (s : sums) (needed : lemmas) (r : row) : sums :=
  {| sums_piece := sums_piece s; sums_sides := sums_sides s; stated := stated s; used := needed; rows := r :: rows s; on := OnRows |}.

Lemma with_row_right : forall s needed r, right_sums s ->
  (right_lemmas (sums_piece s) needed -> right_lemmas (sums_piece s) (used s) /\ right_row (sums_piece s) (sums_sides s) r) ->
  right_sums (with_row s needed r).
Proof.
  intros s needed r H Hr U. destruct (Hr U) as [U' G]. split; [| exact I]. constructor; [exact G |]. apply H. exact U'.
Qed.

Definition clique_line (s : sums) (share : list Z) (squares : list (list Z)) : sums :=
  match multiplier share with
  | Some (a, b) =>
      match all_of (board_square (sums_sides s)) squares [] with
      | Some l =>
          if is_clique (sums_piece s) l
          then with_row s (used s) {| above := a; below := b; row_most := 1; row_keys := keys_of (sums_sides s) l |}
          else refused s BoundClique
      | None => refused s BoundSquare
      end
  | None => refused s BoundMultiplier
  end.

Lemma clique_line_right : forall s share squares, right_sums s -> right_sums (clique_line s share squares).
Proof.
  intros s share squares H. unfold clique_line. destruct (multiplier share) as [[a b] |]; [| apply right_refused; exact H].
  destruct (all_of _ squares []) as [l |] eqn:El; [| apply right_refused; exact H].
  destruct (is_clique (sums_piece s) l) eqn:Ec; [| apply right_refused; exact H].
  apply with_row_right; [exact H |]. intro U. split; [exact U |]. exists l. split; [| split].
  - apply Forall_forall. apply (all_of_Forall _ _ _ _ _ _ _ (board_square_on_board (sums_sides s)) (Forall_nil _) El).
  - intro h. apply keys_of_right.
  - intros S HS. apply (clique_at_most (sums_piece s) (sums_sides s)); [| exact HS]. unfold is_clique in Ec.
    destruct (is_cube (sums_piece s) l) eqn:E; [apply is_cube_clique; exact E | apply pairwise_clique; exact Ec].
Qed.

(** What bounds a box: nothing needs to be shown, or the bound is needed. *)
Definition resting_on (s : sums) (shape : list Z) (bound : Z) : option lemmas :=
  if known_bound (sums_piece s) shape <=? bound then Some (used s)
  else
    match find_bound (reduced shape) (stated s) with
    | Some m =>
        if m <=? bound then
          match find_bound (reduced shape) (used s) with
          | Some m' => if m' <=? bound then Some (used s) else None
          | None => Some ((reduced shape, m) :: used s)
          end
        else None
    | None => None
    end.

Lemma resting_on_right : forall s shape bound needed, shape <> [] -> Forall (fun n => 1 <= n) shape ->
  resting_on s shape bound = Some needed -> right_lemmas (sums_piece s) needed ->
  right_lemmas (sums_piece s) (used s) /\ at_most (sums_piece s) shape bound.
Proof.
  intros s shape bound needed Hne Hs. unfold resting_on.
  destruct (Z.leb_spec (known_bound (sums_piece s) shape) bound) as [Hk |].
  - intros [= <-] U. split; [exact U |]. apply (at_most_weaker _ _ (known_bound (sums_piece s) shape)); [| exact Hk].
    apply known_bound_right; [exact Hne |]. eapply Forall_impl; [| exact Hs]. simpl. intros. lia.
  - destruct (find_bound (reduced shape) (stated s)) as [m |]; [| discriminate]. destruct (Z.leb_spec m bound); [| discriminate].
    destruct (find_bound (reduced shape) (used s)) as [m' |] eqn:E.
    + destruct (Z.leb_spec m' bound) as [Hm |]; [| discriminate]. intros [= <-] U. split; [exact U |].
      apply at_most_reduced; [exact Hs |]. apply (at_most_weaker _ _ m'); [| exact Hm].
      apply (find_bound_right _ _ (used s)); assumption.
    + intros [= <-] U. inversion U; subst. split; [assumption |].
      apply at_most_reduced; [exact Hs |]. apply (at_most_weaker _ _ m); assumption.
Qed.

Definition sub_box_line (s : sums) (share bound corner box stride : list Z) : sums :=
  match multiplier share with
  | Some (a, b) =>
      match number bound, number stride, all_of small_number (split comma corner) [], all_of small_number (split letter_x box) [] with
      | Some k, Some st, Some lo, Some e =>
          if negb ((1 <=? st) && fits st lo e (sums_sides s)) then refused s BoundOutside else
          let shape := sorted_sides e in
          if same shape (sums_sides s) then refused s BoundItself else
          if most_box_squares <? volume e then refused s BoundSquares else
          match shape with
          | [] => refused s BoundNumbers
          | _ =>
              match resting_on s shape k with
              | Some needed =>
                  with_row s needed
                    {| above := a; below := b; row_most := k; row_keys := histogram (sums_sides s) (steps st lo e) |}
              | None => refused s BoundNothing
              end
          end
      | _, _, _, _ => refused s BoundNumbers
      end
  | None => refused s BoundMultiplier
  end.

Lemma sub_box_line_right : forall s share bound corner box stride, right_sums s ->
  right_sums (sub_box_line s share bound corner box stride).
Proof.
  intros s share bound corner box stride H. unfold sub_box_line. destruct (multiplier share) as [[a b] |]; [| apply right_refused; exact H].
  destruct (number bound) as [k |]; [| apply right_refused; exact H]. destruct (number stride) as [st |]; [| apply right_refused; exact H].
  destruct (all_of small_number (split comma corner) []) as [lo |]; [| apply right_refused; exact H].
  destruct (all_of small_number (split letter_x box) []) as [e |]; [| apply right_refused; exact H].
  destruct (negb _) eqn:E; [apply right_refused; exact H |]. apply negb_false_iff, andb_prop in E. destruct E as [Hst Hf].
  apply Z.leb_le in Hst. cbv zeta. destruct (same (sorted_sides e) _); [apply right_refused; exact H |].
  destruct (most_box_squares <? volume e); [apply right_refused; exact H |].
  destruct (sorted_sides e) as [| n shape] eqn:Es; [apply right_refused; exact H |]. rewrite <- Es.
  destruct (resting_on s (sorted_sides e) k) as [needed |] eqn:En; [| apply right_refused; exact H].
  destruct (fits_length _ _ _ _ Hf) as (Hl & Hl' & He). pose proof (sorted_permutation e) as P.
  apply with_row_right; [exact H |]. intro U.
  destruct (resting_on_right s (sorted_sides e) k needed) as [U' Hb]; auto.
  { rewrite Es. discriminate. }
  { apply (Permutation_Forall (x := e)); [symmetry; exact P | exact He]. }
  split; [exact U' |]. exists (choices (steps st lo e)). split; [| split].
  - intros c Hc. rewrite choices_placed in Hc by exact Hl. apply in_map_iff in Hc. destruct Hc as (o & <- & Ho).
    apply (placed_on_board st lo e); [exact Hst | exact Hf | apply squares_of_on_board; exact Ho].
  - intro h. apply histogram_right. unfold steps. rewrite map_length, combine_length. lia.
  - intros S HS. apply (box_at_most (sums_piece s) (sums_sides s)); auto.
    apply (at_most_permutation _ (sorted_sides e)); assumption.
Qed.

Definition at_most_line (s : sums) (w value : list Z) : sums :=
  if same w w_most then
    match number value with
    | Some k =>
        match judged (sums_sides s) (rows s) k with
        | AddsUp => at_stage s (OnEnd k)
        | CountsTooFew => refused s BoundCounted
        | AddsUpToMore => refused s BoundMore
        end
    | None => refused s BoundNumbers
    end
  else refused s BoundKind.

Lemma at_most_line_right : forall s w value, right_sums s -> right_sums (at_most_line s w value).
Proof.
  intros s w value H. unfold at_most_line. destruct (same w w_most); [| apply right_refused; exact H].
  destruct (number value) as [k |]; [| apply right_refused; exact H].
  destruct (judged (sums_sides s) (rows s) k) eqn:E; try (apply right_refused; exact H).
  intro U. destruct (H U) as [Hr _]. split; [exact Hr |]. apply (judged_right _ _ (rows s)); assumption.
Qed.

Definition row_line (s : sums) (ws : list (list Z)) : sums :=
  match ws with
  | kind :: ws' =>
      if same kind w_clique then
        match ws' with
        | share :: squares => clique_line s share squares
        | [] => refused s BoundKind
        end
      else if same kind w_box then
        match ws' with
        | [share; bound; corner; box; stride] => sub_box_line s share bound corner box stride
        | _ => refused s BoundKind
        end
      else if same kind w_needs then
        match ws' with
        | [board; value] => needs_line s board value
        | _ => refused s BoundKind
        end
      else if same kind w_at then
        match ws' with
        | [w; value] => at_most_line s w value
        | _ => refused s BoundKind
        end
      else refused s BoundKind
  | [] => refused s BoundKind
  end.

Lemma row_line_right : forall s ws, right_sums s -> right_sums (row_line s ws).
Proof.
  intros s ws H. unfold row_line. destruct ws as [| kind ws]; [apply right_refused; exact H |].
  destruct (same kind w_clique).
  { destruct ws; [apply right_refused; exact H | apply clique_line_right; exact H]. }
  destruct (same kind w_box).
  { destruct ws as [| ? [| ? [| ? [| ? [| ? [| ? ?]]]]]]; try (apply right_refused; exact H). apply sub_box_line_right. exact H. }
  destruct (same kind w_needs).
  { destruct ws as [| ? [| ? [| ? ?]]]; try (apply right_refused; exact H). apply needs_line_right. exact H. }
  destruct (same kind w_at).
  { destruct ws as [| ? [| ? [| ? ?]]]; try (apply right_refused; exact H). apply at_most_line_right. exact H. }
  apply right_refused. exact H.
Qed.

(** * A line *)

Definition bound_board_line (s : sums) (line : list Z) : sums :=
  match after w_board line with
  | Some name =>
      match board_named name with
      | Some (p, sides) =>
          if negb (increasing sides) then refused s BoundOrder else
          if most_orbits <? orbits_of sides 0 0 1 then refused s BoundLarge else
          {| sums_piece := p; sums_sides := sides; stated := []; used := []; rows := []; on := OnRows |}
      | None => refused s BoundBoard
      end
  | None => refused s BoundBoard
  end.

Definition bound_line (s : sums) (line : list Z) : sums :=
  match on s with
  | Refused _ => s
  | Accepted _ => refused s BoundAfter
  | OnHeader => if same line w_bound then at_stage s OnBoard else refused s BoundHeader
  | OnBoard => if printable line then bound_board_line s line else refused s BoundPlain
  | OnRows =>
      if negb (printable line) then refused s BoundPlain
      else if spaced true line then row_line s (split blank line) else refused s BoundSpaced
  | OnEnd k => if same line w_end then at_stage s (Accepted k) else refused s BoundEnd
  end.

Lemma bound_line_right : forall s line, right_sums s -> right_sums (bound_line s line).
Proof.
  intros s line H. unfold bound_line. destruct (on s) as [| | | k | k | f] eqn:E.
  - destruct (same line w_bound); [| apply right_refused; exact H]. intro U. split; [apply H; exact U | exact I].
  - destruct (printable line); [| apply right_refused; exact H]. unfold bound_board_line.
    destruct (after w_board line) as [name |]; [| apply right_refused; exact H].
    destruct (board_named name) as [[p sides] |]; [| apply right_refused; exact H].
    destruct (negb (increasing sides)); [apply right_refused; exact H |].
    destruct (most_orbits <? _); [apply right_refused; exact H |]. intros _. split; [constructor | exact I].
  - destruct (negb (printable line)); [apply right_refused; exact H |].
    destruct (spaced true line); [apply row_line_right; exact H | apply right_refused; exact H].
  - destruct (same line w_end); [| apply right_refused; exact H]. intro U. destruct (H U) as [Hr Hk].
    rewrite E in Hk. split; [exact Hr | exact Hk].
  - apply right_refused. exact H.
  - exact H.
Qed.

(** * A file *)

Record sums_reader := {
  summed_up : sums;
  bound_line_read : list Z;      (* the line so far, its last byte first *)
  bound_length_read : Z;
  bound_lines_read : Z
}.

Definition first_sums : sums_reader :=
  {| summed_up := {| sums_piece := Queen; sums_sides := []; stated := []; used := []; rows := []; on := OnHeader |};
     bound_line_read := []; bound_length_read := 0; bound_lines_read := 0 |}.

(** One byte more; after a fault nothing changes. *)
Definition feed_bound (r : sums_reader) (c : Z) : sums_reader :=
  match on (summed_up r) with
  | Refused _ => r
  | _ =>
  if c =? line_feed then
    {| summed_up := bound_line (summed_up r) (rev' (bound_line_read r)); bound_line_read := []; bound_length_read := 0;
       bound_lines_read := bound_lines_read r + 1 |}
  else if bound_length_read r <? Proofs.longest_line then
    {| summed_up := summed_up r; bound_line_read := c :: bound_line_read r; bound_length_read := bound_length_read r + 1;
       bound_lines_read := bound_lines_read r |}
  else
    {| summed_up := refused (summed_up r) BoundLong; bound_line_read := []; bound_length_read := 0;
       bound_lines_read := bound_lines_read r + 1 |}
  end.

(** What a file shows: the board, the bound, and the bounds that it needs. *)
Definition bounded (r : sums_reader) : option (piece * list Z * Z * lemmas) :=
  match bound_line_read r, on (summed_up r) with
  | [], Accepted k => Some (sums_piece (summed_up r), sums_sides (summed_up r), k, used (summed_up r))
  | _, _ => None
  end.

Definition check_bound (file : list Z) : option (piece * list Z * Z * lemmas) := bounded (fold_left feed_bound file first_sums).

Lemma feed_bound_right : forall file r, right_sums (summed_up r) -> right_sums (summed_up (fold_left feed_bound file r)).
Proof.
  induction file as [| c file IH]; intros r H; simpl; [exact H |]. apply IH. unfold feed_bound.
  destruct (on (summed_up r)); try exact H;
    destruct (c =? line_feed); try (apply bound_line_right; exact H);
    destruct (bound_length_read r <? Proofs.longest_line); try exact H; apply right_refused; exact H.
Qed.

Theorem check_bound_right : forall file p sides k needs, check_bound file = Some (p, sides, k, needs) ->
  (forall s m, In (s, m) needs -> at_most p s m) -> at_most p sides k.
Proof.
  intros file p sides k needs. unfold check_bound, bounded.
  assert (right_sums (summed_up (fold_left feed_bound file first_sums))) as H.
  { apply feed_bound_right. intros _. split; [constructor | exact I]. }
  destruct (bound_line_read _); [| discriminate]. destruct (on _) eqn:E; try discriminate.
  intros [= <- <- <- <-] Hn. unfold right_sums in H. rewrite E in H. apply H.
  apply Forall_forall. intros [s m] Hin. apply Hn. exact Hin.
Qed.
