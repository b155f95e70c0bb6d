(** Bounds by the orbit LP: files of inequalities with multipliers, whose sum is averaged over the symmetries
    of the board. The format is that of docs/bound-format.md. *)

From NDQ Require Import Definitions Boxes Sums Faces Rows Certificates Text Proofs Orbits Weights.
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

(** A box consists of boxes of side 2 or less, each of which holds at most one queen. *)
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

(** Returns a bound of a box that needs no proof. *)
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

(** Returns the sides in increasing order, without sides of 1. *)
Definition reduced (sides : list Z) : list Z :=
  match filter (fun n => 1 <? n) (sorted_sides sides) with
  | [] => [1]
  | s => s
  end.

Lemma at_most_longer : forall p sides b, Forall (fun n => 1 <= n) sides -> at_most p (filter (fun n => 1 <? n) sides) b ->
  at_most p sides b.
Proof.
  intros p sides b Hs Hb S (Hnd & Hon & Hat). rewrite Forall_forall in Hon.
  apply (at_most_map p (filter (fun n => 1 <? n) sides) b (shortened sides) S); auto.
  - intros x Hx. apply shortened_on_board. auto.
  - intros x y Hx Hy. apply shortened_keeps; auto.
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

Definition steps (stride : Z) (corner box : list Z) : list (list Z) :=
  map (fun '(lo, e) => map (fun t => lo + stride * t) (count_up (Z.to_nat e) 0)) (combine corner box).

Lemma choices_placed : forall stride corner box, length corner = length box ->
  choices (steps stride corner box) = map (placed stride corner) (squares_of box).
Proof.
  intros stride. induction corner as [| lo corner IH]; intros [| e box] H; try discriminate; [reflexivity |].
  injection H as H. unfold steps in *. cbn [combine map choices squares_of]. rewrite IH by exact H.
  generalize (count_up (Z.to_nat e) 0). intro l. induction l as [| t l IHl]; [reflexivity |].
  cbn [map flat_map]. rewrite map_app, !map_map, IHl. reflexivity.
Qed.

(** Squares that attack each other in a box still do so after all their differences are multiplied by the same
    number. *)
Lemma box_independent : forall p sides stride corner box S (t : square -> bool), 1 <= stride ->
  fits stride corner box sides = true -> independent p sides S -> (forall o, t o = true -> In (placed stride corner o) S) ->
  independent p box (filter t (squares_of box)).
Proof.
  intros p sides stride corner box S t Hs Hf HS Ht. destruct (fits_length _ _ _ _ Hf) as (Hl & _ & _).
  split; [apply NoDup_filter, NoDup_squares_of |]. split.
  - apply Forall_forall. intros x Hx. apply filter_In in Hx. apply squares_of_on_board. tauto.
  - destruct HS as (_ & _ & Hat). intros x y Hx Hy Ha. apply filter_In in Hx. apply filter_In in Hy.
    destruct Hx as [Bx Hx]. destruct Hy as [By Hy].
    apply squares_of_on_board, on_board_length in Bx. apply squares_of_on_board, on_board_length in By.
    apply (Hat _ _ (Ht x Hx) (Ht y Hy)). apply attacks_near in Ha. destruct Ha as (m & Hm & Hn & Hmv). apply attacks_near.
    destruct (placed_keeps stride corner x y m Hs) as [Hn' Hd]; try congruence.
    exists (stride * m). split; [nia |]. split; [exact Hn' |]. rewrite Hd. exact Hmv.
Qed.

(** Returns [true] if a piece stands on the square of the box with this offset. *)
Definition holds_piece (stride : Z) (corner : list Z) (S : list square) (o : square) : bool :=
  if in_dec (list_eq_dec Z.eq_dec) (placed stride corner o) S then true else false.

Lemma holds_piece_in : forall stride corner S o, holds_piece stride corner S o = true -> In (placed stride corner o) S.
Proof. intros stride corner S o. unfold holds_piece. destruct (in_dec _ _ _); [auto | discriminate]. Qed.

Lemma box_at_most : forall p sides stride corner box b S, 1 <= stride -> fits stride corner box sides = true -> at_most p box b ->
  independent p sides S -> total (times_in (choices (steps stride corner box))) S <= b.
Proof.
  intros p sides stride corner box b S Hs Hf Hb HS. rewrite (independent_hits p sides) by exact HS.
  destruct (fits_length _ _ _ _ Hf) as (Hl & _ & _). rewrite choices_placed, total_map by exact Hl.
  pose proof (Hb _ (box_independent p sides stride corner box S _ Hs Hf HS (holds_piece_in stride corner S))) as G.
  rewrite <- (Z.mul_1_r (Z.of_nat _)), <- total_constant, total_filter in G.
  erewrite total_ext; [exact G |]. intros o _. unfold holds_piece. destruct (in_dec (list_eq_dec Z.eq_dec) _ S); reflexivity.
Qed.

(** Returns the squares of a box, each repeated as many times as its weight. *)
Definition weighted_squares (stride : Z) (corner box weights : list Z) : list square :=
  flat_map (fun o => repeat (placed stride corner o) (Z.to_nat (weight weights (class_in box o)))) (squares_of box).

Lemma total_repeat : forall A (f : A -> Z) a n, total f (repeat a n) = Z.of_nat n * f a.
Proof. intros A f a n. induction n as [| n IH]; [reflexivity |]. cbn [repeat total fold_right]. fold (total f (repeat a n)).
  rewrite IH. lia. Qed.

Lemma total_weighted : forall f stride corner box weights, (forall j, 0 <= nth j weights 0) ->
  total f (weighted_squares stride corner box weights) =
  total (fun o => weight weights (class_in box o) * f (placed stride corner o)) (squares_of box).
Proof.
  intros f stride corner box weights Hw. unfold weighted_squares. rewrite total_flat_map. apply total_ext. intros o _.
  rewrite total_repeat, Z2Nat.id; [reflexivity | apply Hw].
Qed.

Lemma box_weights_at_most : forall sides stride corner box weights most S, 1 <= stride -> fits stride corner box sides = true ->
  of_ones_and_threes box = true -> (forall j, 0 <= nth j weights 0) -> right_weights (threes box) weights most ->
  independent Queen sides S -> total (times_in (weighted_squares stride corner box weights)) S <= most.
Proof.
  intros sides stride corner box weights most S Hs Hf Hb Hw0 Hw HS. rewrite (independent_hits Queen sides) by exact HS.
  destruct (fits_length _ _ _ _ Hf) as (_ & _ & H1). rewrite total_weighted by exact Hw0.
  pose proof (box_weights box weights most _ Hb H1 Hw
    (box_independent Queen sides stride corner box S _ Hs Hf HS (holds_piece_in stride corner S))) as G.
  rewrite total_filter in G. erewrite total_ext; [exact G |]. intros o _. cbv beta. unfold holds_piece.
  destruct (in_dec (list_eq_dec Z.eq_dec) _ S); lia.
Qed.

(** Counts the squares of a box by class and orbit. The class is the first entry of a key. *)
Fixpoint class_histogram (stride : Z) (sides corner box : list Z) : entries :=
  match sides, corner, box with
  | n :: s, lo :: corner', e :: box' =>
      let below := class_histogram stride s corner' box' in
      let here := condense (map (fun c => ([middle e c; n * n + fold_coordinate n (lo + stride * c)],
        1)) (count_up (Z.to_nat e) 0)) in
      condense (flat_map (fun h => map (fun b =>
        (hd 0 (fst h) + hd 0 (fst b) :: insert (hd 0 (tl (fst h))) (tl (fst b)), snd h * snd b)) below) here)
  | _, _, _ => [([0], 1)]
  end.

Lemma class_histogram_right : forall stride sides corner box f, length corner = length box -> length box = length sides ->
  weigh f (class_histogram stride sides corner box) =
  total (fun o => f (class_in box o :: key sides (placed stride corner o))) (squares_of box).
Proof.
  intros stride. induction sides as [| n s IH]; intros [| lo corner] [| e box] f Hl Hl'; try discriminate.
  { unfold weigh. cbn. destruct (f [0]); reflexivity. }
  injection Hl as Hl. injection Hl' as Hl'. cbn [class_histogram squares_of]. rewrite weigh_condense. unfold weigh.
  rewrite !total_flat_map.
  set (here := condense _).
  transitivity (weigh (fun k => total (fun o => f (hd 0 k + class_in box o :: insert (hd 0 (tl k)) (key s (placed stride corner o))))
    (squares_of box)) here).
  - unfold weigh. apply total_ext. intros h _. rewrite total_map. cbn [fst snd].
    pose proof (IH corner box (fun k => f (hd 0 (fst h) + hd 0 k :: insert (hd 0 (tl (fst h))) (tl k))) Hl Hl') as G.
    unfold weigh in G. cbn [hd tl] in G. rewrite <- G, <- total_times. apply total_ext. intros b _. lia.
  - unfold here. rewrite weigh_condense. unfold weigh. rewrite total_map. apply total_ext. intros c _. cbn [fst snd hd tl].
    rewrite total_map, Z.mul_1_l. apply total_ext. intros x _. reflexivity.
Qed.

(** Sums the weights of the squares of a box by orbit. *)
Definition weighted_histogram (stride : Z) (sides corner box weights : list Z) : entries :=
  condense (map (fun e => (tl (fst e), snd e * weight weights (hd 0 (fst e)))) (class_histogram stride sides corner box)).

Lemma weighted_histogram_right : forall stride sides corner box weights f,
  length corner = length box -> length box = length sides ->
  (forall j, 0 <= nth j weights 0) ->
  weigh f (weighted_histogram stride sides corner box weights) =
  total (fun x => f (key sides x)) (weighted_squares stride corner box weights).
Proof.
  intros stride sides corner box weights f Hl Hl' Hw. rewrite total_weighted by exact Hw. unfold weighted_histogram.
  rewrite weigh_condense. unfold weigh. rewrite total_map. cbn [fst snd].
  pose proof (class_histogram_right stride sides corner box (fun k => weight weights (hd 0 k) * f (tl k)) Hl Hl') as G.
  unfold weigh in G. cbn [hd tl] in G. rewrite <- G. apply total_ext. intros e _. lia.
Qed.

(** * Rows *)

(** An inequality with its multiplier, [above / below]. *)
Record row := { above : Z; below : Z; row_most : Z; row_keys : entries }.

Definition right_row (class : list square -> Prop) (sides : list Z) (r : row) : Prop :=
  holds class sides (above r) (row_most r) (row_keys r).

(** Upper limit of a common denominator, which bounds the time of a check. *)
Definition past_denominators : Z := Z.setbit 0 16384.

Definition common_denominator (rows : list row) : Z :=
  fold_left (fun d r => if past_denominators <=? d then d else d / Z.gcd d (below r) * below r) rows 1.

Definition times_denominator (d : Z) (r : row) : inequality :=
  {| times := above r * (d / below r); most := row_most r; keys := row_keys r |}.

(** Returns the largest number of pieces that the sum of the rows allows, if it counts every square at least
    once. *)
Definition added_up (sides : list Z) (rows : list row) : option Z :=
  let d := common_denominator rows in
  let exact := map (times_denominator d) rows in
  if (0 <? d) && forallb (fun r => 0 <=? d / below r) rows && covers sides d exact then Some (right_side exact / d) else None.

Lemma added_up_right : forall class p sides rows k, kept_by_symmetries p sides class -> Forall (right_row class sides) rows ->
  added_up sides rows = Some k -> forall S, class S -> Z.of_nat (length S) <= k.
Proof.
  intros class p sides rows k HK Hr H. unfold added_up in H. set (d := common_denominator rows) in *.
  set (exact := map (times_denominator d) rows) in *.
  destruct (_ && _ && _) eqn:E; [| discriminate]. injection H as <-.
  apply andb_prop in E. destruct E as [E Hc]. apply andb_prop in E. destruct E as [Hd H0]. apply Z.ltb_lt in Hd.
  intros S HS. rewrite forallb_forall in H0.
  pose proof (summed class p sides d exact HK) as G. specialize (fun F => G F Hc S HS).
  apply Z.div_le_lower_bound; [exact Hd |]. apply G. apply Forall_forall. intros r Hin.
  apply in_map_iff in Hin. destruct Hin as (r' & <- & Hin). specialize (H0 r' Hin). apply Z.leb_le in H0.
  rewrite Forall_forall in Hr. destruct (Hr r' Hin) as (l & Hl & Hk & Hi). exists l. split; [exact Hl |]. split; [exact Hk |].
  intros S' HS'. specialize (Hi S' HS'). cbn [times most times_denominator]. nia.
Qed.

(** * Cases *)

(** One side of a split: at most [split_most] pieces on the squares of an orbit, or more if [second]. *)
Record split_case := { split_key : list Z; split_most : Z; second : bool }.

Definition held (sides : list Z) (k : list Z) (S : list square) : Z := total (fun x => is (key sides x) k) S.

Definition on_side (sides : list Z) (c : split_case) (S : list square) : Prop :=
  if second c then split_most c + 1 <= held sides (split_key c) S else held sides (split_key c) S <= split_most c.

(** The independent sets of a case. [splits] are the splits on the path to the case, the last one first. *)
Definition in_case (p : piece) (sides : list Z) (splits : list split_case) (S : list square) : Prop :=
  independent p sides S /\ Forall (fun c => on_side sides c S) splits.

Lemma held_image : forall p sides k S g, independent p sides S -> In g (symmetries sides) -> held sides k (map g S) = held sides k S.
Proof.
  intros p sides k S g (_ & Hon & _) Hg. unfold held. rewrite total_map. apply total_ext. intros x Hx.
  rewrite Forall_forall in Hon. rewrite (symmetry_key sides g Hg) by (apply Hon; exact Hx). reflexivity.
Qed.

Lemma in_case_symmetric : forall p sides splits, kept_by_symmetries p sides (in_case p sides splits).
Proof.
  intros p sides splits. split; [intros S [H _]; exact H |]. intros S g [H Hs] Hg. split; [apply image_independent; assumption |].
  rewrite Forall_forall in *. intros c Hc. specialize (Hs c Hc). unfold on_side in *.
  rewrite (held_image p) by assumption. exact Hs.
Qed.

(** The independent sets of the remaining cases. *)
Fixpoint pending (p : piece) (sides : list Z) (splits : list split_case) (S : list square) : Prop :=
  match splits with
  | [] => False
  | c :: outer =>
      (second c = false /\ split_most c + 1 <= held sides (split_key c) S /\ in_case p sides outer S) \/ pending p sides outer S
  end.

(** Returns the splits on the path to the next case, or [None] if all cases are done. *)
Fixpoint next_case (splits : list split_case) : option (list split_case) :=
  match splits with
  | [] => None
  | c :: outer =>
      if second c then next_case outer
      else Some ({| split_key := split_key c; split_most := split_most c; second := true |} :: outer)
  end.

Definition left_over (p : piece) (sides : list Z) (splits : option (list split_case)) (S : list square) : Prop :=
  match splits with Some splits => in_case p sides splits S \/ pending p sides splits S | None => False end.

Lemma next_case_right : forall p sides splits S, pending p sides splits S -> left_over p sides (next_case splits) S.
Proof.
  intros p sides splits S. induction splits as [| c outer IH]; [intros [] |]. cbn [pending next_case].
  destruct (second c) eqn:E.
  - intros [[H _] | H]; [discriminate | apply IH; exact H].
  - intros [(_ & Hm & Hi & Ho) | H].
    + left. split; [exact Hi |]. constructor; [exact Hm | exact Ho].
    + right. right. exact H.
Qed.

Lemma split_right : forall p sides splits k m S, left_over p sides (Some splits) S ->
  left_over p sides (Some ({| split_key := k; split_most := m; second := false |} :: splits)) S.
Proof.
  intros p sides splits k m S [H | H]; [| right; right; exact H].
  destruct (Z.leb_spec (held sides k S) m) as [Hm | Hm].
  - left. destruct H as [Hi Hs]. split; [exact Hi |]. constructor; [exact Hm | exact Hs].
  - right. left. cbn. split; [reflexivity |]. split; [lia | exact H].
Qed.

(** Returns the upper limit that the case assumes on the pieces of an orbit, if there is one. *)
Fixpoint most_assumed (splits : list split_case) (k : list Z) : option Z :=
  match splits with
  | [] => None
  | c :: outer =>
      if negb (second c) && same (split_key c) k then
        match most_assumed outer k with Some m => Some (Z.min m (split_most c)) | None => Some (split_most c) end
      else most_assumed outer k
  end.

Fixpoint least_assumed (splits : list split_case) (k : list Z) : option Z :=
  match splits with
  | [] => None
  | c :: outer =>
      if second c && same (split_key c) k then
        match least_assumed outer k with Some m => Some (Z.max m (split_most c + 1)) | None => Some (split_most c + 1) end
      else least_assumed outer k
  end.

Lemma most_assumed_right : forall sides splits k m S, Forall (fun c => on_side sides c S) splits ->
  most_assumed splits k = Some m -> held sides k S <= m.
Proof.
  intros sides splits k m S H. revert m. induction H as [| c outer Hc H IH]; intro m; [discriminate |]. cbn [most_assumed].
  destruct (negb (second c) && same (split_key c) k) eqn:E; [| apply IH]. apply andb_prop in E. destruct E as [E1 E2].
  apply negb_true_iff in E1. apply same_eq in E2. unfold on_side in Hc. rewrite E1, E2 in Hc.
  destruct (most_assumed outer k) as [m' |]; intros [= <-]; [| exact Hc]. specialize (IH m' eq_refl). lia.
Qed.

Lemma least_assumed_right : forall sides splits k m S, Forall (fun c => on_side sides c S) splits ->
  least_assumed splits k = Some m -> m <= held sides k S.
Proof.
  intros sides splits k m S H. revert m. induction H as [| c outer Hc H IH]; intro m; [discriminate |]. cbn [least_assumed].
  destruct (second c && same (split_key c) k) eqn:E; [| apply IH]. apply andb_prop in E. destruct E as [E1 E2].
  apply same_eq in E2. unfold on_side in Hc. rewrite E1, E2 in Hc.
  destruct (least_assumed outer k) as [m' |]; intros [= <-]; [| exact Hc]. specialize (IH m' eq_refl). lia.
Qed.

Lemma is_symmetric : forall a b, is a b = is b a.
Proof.
  intros a b. destruct (list_eq_dec Z.eq_dec a b) as [-> | H]; [reflexivity |]. rewrite !is_other; congruence.
Qed.

Lemma orbit_held : forall p sides x S, independent p sides S -> total (times_in (orbit sides x)) S = held sides (key sides x) S.
Proof.
  intros p sides x S (_ & Hon & _). apply total_ext. intros y Hy. rewrite Forall_forall in Hon. specialize (Hon y Hy).
  unfold times_in. rewrite (total_ext _ _ (is y)) by (intros; apply is_symmetric). rewrite total_is by apply NoDup_orbit.
  destruct (in_dec _ _ _) as [Hin | Hin]; rewrite in_orbit in Hin.
  - destruct Hin as [_ ->]. rewrite is_self. reflexivity.
  - rewrite is_other; [reflexivity |]. tauto.
Qed.

Definition size_in (sizes : entries) (k : list Z) : Z := weigh (fun k' => is k' k) sizes.

Lemma orbit_row : forall p sides (class : list square -> Prop) times m x, (forall S, class S -> independent p sides S) ->
  (forall S, class S -> times * held sides (key sides x) S <= times * m) ->
  holds class sides times m [(key sides x, size_in (sizes_of sides) (key sides x))].
Proof.
  intros p sides class times m x HK H. exists (orbit sides x). split; [| split].
  - intros c Hc. apply in_orbit in Hc. tauto.
  - intro h. unfold size_in. rewrite size_right. rewrite (total_ext _ (fun c => h (key sides c)) (fun _ => h (key sides x))).
    + rewrite total_constant. unfold weigh. cbn [total fold_right fst snd]. lia.
    + intros c Hc. apply in_orbit in Hc. destruct Hc as [_ ->]. reflexivity.
  - intros S HS. rewrite (orbit_held p) by (apply HK; exact HS). apply H. exact HS.
Qed.

(** * Numbers and squares *)

Definition most_digits : Z := 10000.
Definition most_box_squares : Z := Eval compute in 2 ^ 27.
Definition most_orbits : Z := Eval compute in 2 ^ 22.
Definition most_weighted : Z := Eval compute in 2 ^ 10.
Definition most_nodes : Z := Eval compute in 2 ^ 26.

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

(** Parses a nonnegative fraction. *)
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

(** Returns the number of orbits, given the sides in increasing order. *)
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
  | BoundNothing | BoundQueens | BoundThrees | BoundWeights | BoundDenominator | BoundCounted | BoundMore | BoundSplit | BoundAssumed
  | BoundOpen | BoundDone | BoundEnd | BoundAfter | BoundWeighted | BoundRepeated | BoundMany | BoundHeavier | BoundNodes.

Inductive stage :=
  | OnHeader | OnBoard | OnRows
  | OnEnd (k : Z)
  | Accepted (k : Z)
  | Refused (f : bound_fault).

Record sums := {
  sums_piece : piece;
  sums_sides : list Z;
  sizes : entries;                          (* number of squares of each orbit *)
  with_cases : bool;
  with_faces : bool;                        (* the format has [volume] and [class] lines *)
  with_weights : bool;                      (* the format has [weighted] lines *)
  nodes_left : Z;                           (* nodes that the searches of [weighted] lines may still visit *)
  stated : lemmas;                          (* needed bounds *)
  used : lemmas;                            (* needed bounds on which a row depends *)
  splits : option (list split_case);        (* splits on the path to the current case; [None] when all cases are done *)
  best : Z;                                 (* bound of the finished cases *)
  rows : list row;                          (* rows of the current case *)
  row_count : Z;                            (* number of cliques and boxes of all cases *)
  on : stage
}.

Definition at_stage (s : sums) (q : stage) : sums :=
  {| sums_piece := sums_piece s; sums_sides := sums_sides s; sizes := sizes s; with_cases := with_cases s;
    with_faces := with_faces s; with_weights := with_weights s; nodes_left := nodes_left s; stated := stated s;
     used := used s; splits := splits s; best := best s; rows := rows s; row_count := row_count s; on := q |}.

Definition refused (s : sums) (f : bound_fault) : sums := at_stage s (Refused f).

Definition right_stage (p : piece) (sides : list Z) (q : stage) : Prop :=
  match q with
  | OnEnd k => at_most p sides k
  | Accepted k => at_most p sides k
  | _ => True
  end.

(** The independent sets of the current case. *)
Definition class_of (s : sums) (S : list square) : Prop :=
  match splits s with Some c => in_case (sums_piece s) (sums_sides s) c S | None => False end.

Definition right_cases (s : sums) : Prop :=
  forall S, independent (sums_piece s) (sums_sides s) S ->
    left_over (sums_piece s) (sums_sides s) (splits s) S \/ Z.of_nat (length S) <= best s.

(** The state is correct if the needed bounds hold. *)
Definition right_sums (s : sums) : Prop :=
  right_lemmas (sums_piece s) (used s) ->
  (sizes s = sizes_of (sums_sides s) /\ right_cases s /\ Forall (right_row (class_of s) (sums_sides s)) (rows s)) /\
  right_stage (sums_piece s) (sums_sides s) (on s).

Lemma right_refused : forall s f, right_sums s -> right_sums (refused s f).
Proof. intros s f H U. split; [apply H; exact U | exact I]. Qed.

Lemma class_symmetric : forall s, kept_by_symmetries (sums_piece s) (sums_sides s) (class_of s).
Proof.
  intro s. unfold class_of. destruct (splits s); [apply in_case_symmetric |]. split; [intros S [] | intros S g []].
Qed.

Lemma class_independent : forall s S, class_of s S -> independent (sums_piece s) (sums_sides s) S.
Proof. intro s. apply class_symmetric. Qed.

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
            {| sums_piece := sums_piece s; sums_sides := sums_sides s; sizes := sizes s; with_cases := with_cases s;
              with_faces := with_faces s; with_weights := with_weights s; nodes_left := nodes_left s;
               stated := (reduced sides, k) :: stated s; used := used s; splits := splits s; best := best s; rows := rows s;
               row_count := row_count s; on := OnRows |}
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

(** Adds a row, which may depend on needed bounds. *)
Definition with_row (s : sums) (needed : lemmas) (more : Z) (r : row) : sums :=
  {| sums_piece := sums_piece s; sums_sides := sums_sides s; sizes := sizes s; with_cases := with_cases s;
    with_faces := with_faces s; with_weights := with_weights s; nodes_left := nodes_left s; stated := stated s;
     used := needed; splits := splits s; best := best s; rows := r :: rows s; row_count := row_count s + more; on := OnRows |}.

Lemma with_row_right : forall s needed more r, right_sums s ->
  (right_lemmas (sums_piece s) needed ->
   right_lemmas (sums_piece s) (used s) /\ (sizes s = sizes_of (sums_sides s) -> right_row (class_of s) (sums_sides s) r)) ->
  right_sums (with_row s needed more r).
Proof.
  intros s needed more r H Hr U. destruct (Hr U) as [U' G]. destruct (H U') as [(Hs & Hc & Ha) _].
  split; [| exact I]. split; [exact Hs |]. split; [exact Hc |]. constructor; [apply G; exact Hs | exact Ha].
Qed.

Lemma long_digits_nonnegative : forall w n m, 0 <= n -> long_digits w n = Some m -> 0 <= m.
Proof.
  induction w as [| c w IH]; intros n m Hn; simpl; [intros [= <-]; exact Hn |].
  destruct (digit c) eqn:E; [| discriminate]. apply (IH (ten * n + (c - zero_digit))). apply andb_prop in E. destruct E as [E _].
  apply Z.leb_le in E. unfold zero_digit, ten in *. lia.
Qed.

Lemma long_number_nonnegative : forall w m, long_number w = Some m -> 0 <= m.
Proof.
  intros w m H. apply (long_digits_nonnegative w 0); [lia |]. unfold long_number in H.
  destruct w as [| c w]; [discriminate |]. destruct w; [exact H |].
  destruct (_ || _); [discriminate | exact H].
Qed.

Lemma multiplier_nonnegative : forall w a b, multiplier w = Some (a, b) -> 0 <= a.
Proof.
  intros w a b. unfold multiplier. destruct (split slash w) as [| u [| v [| ? ?]]]; try discriminate.
  - destruct (long_number u) eqn:E; [| discriminate]. intros [= <- <-]. apply (long_number_nonnegative u). exact E.
  - destruct (long_number u) eqn:E; [| discriminate]. destruct (long_number v); [| discriminate].
    destruct (0 <? _); [| discriminate]. intros [= <- <-]. apply (long_number_nonnegative u). exact E.
Qed.

Definition clique_line (s : sums) (share : list Z) (squares : list (list Z)) : sums :=
  match multiplier share with
  | Some (a, b) =>
      match all_of (board_square (sums_sides s)) squares [] with
      | Some l =>
          if is_clique (sums_piece s) l
          then with_row s (used s) 1 {| above := a; below := b; row_most := 1; row_keys := keys_of (sums_sides s) l |}
          else refused s BoundClique
      | None => refused s BoundSquare
      end
  | None => refused s BoundMultiplier
  end.

Lemma clique_line_right : forall s share squares, right_sums s -> right_sums (clique_line s share squares).
Proof.
  intros s share squares H. unfold clique_line. destruct (multiplier share) as [[a b] |] eqn:Em; [| apply right_refused; exact H].
  destruct (all_of _ squares []) as [l |] eqn:El; [| apply right_refused; exact H].
  destruct (is_clique (sums_piece s) l) eqn:Ec; [| apply right_refused; exact H].
  apply with_row_right; [exact H |]. intro U. split; [exact U |]. intros _. exists l. split; [| split].
  - apply Forall_forall. apply (all_of_Forall _ _ _ _ _ _ _ (board_square_on_board (sums_sides s)) (Forall_nil _) El).
  - intro h. apply keys_of_right.
  - intros S HS. apply Z.mul_le_mono_nonneg_l; [apply (multiplier_nonnegative _ _ _ Em) |].
    apply (clique_at_most (sums_piece s) (sums_sides s)); [| apply class_independent; exact HS]. unfold is_clique in Ec.
    destruct (is_cube (sums_piece s) l) eqn:E; [apply is_cube_clique; exact E | apply pairwise_clique; exact Ec].
Qed.

(** Returns the needed bounds after the use of a bound of a box: unchanged if the bound needs no proof. *)
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
                  with_row s needed 1
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
  intros s share bound corner box stride H. unfold sub_box_line. destruct (multiplier share) as [[a b] |] eqn:Em; [| apply right_refused; exact H].
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
  split; [exact U' |]. intros _. exists (choices (steps st lo e)). split; [| split].
  - intros c Hc. rewrite choices_placed in Hc by exact Hl. apply in_map_iff in Hc. destruct Hc as (o & <- & Ho).
    apply (placed_on_board st lo e); [exact Hst | exact Hf | apply squares_of_on_board; exact Ho].
  - intro h. apply histogram_right. unfold steps. rewrite map_length, combine_length. lia.
  - intros S HS. apply Z.mul_le_mono_nonneg_l; [apply (multiplier_nonnegative _ _ _ Em) |].
    apply (box_at_most (sums_piece s) (sums_sides s)); auto; [| apply class_independent; exact HS].
    apply (at_most_permutation _ (sorted_sides e)); assumption.
Qed.

(** Adds the inequality of a [volume] or [class] line: a weighted sum of the queens in a box with sides 1 and
    3. *)
Definition faces_line (s : sums) (share : list Z) (claim : nat -> option (list Z * Z)) (corner box stride : list Z) : sums :=
  match multiplier share with
  | Some (a, b) =>
      match number stride, all_of small_number (split comma corner) [], all_of small_number (split letter_x box) [] with
      | Some st, Some lo, Some e =>
          if negb (same_piece Queen (sums_piece s)) then refused s BoundQueens else
          if negb ((1 <=? st) && fits st lo e (sums_sides s)) then refused s BoundOutside else
          if negb (of_ones_and_threes e) then refused s BoundThrees else
          if most_box_squares <? volume e then refused s BoundSquares else
          match claim (threes e) with
          | Some (weights, most) =>
              with_row s (used s) 1
                {| above := a; below := b; row_most := most; row_keys := weighted_histogram st (sums_sides s) lo e weights |}
          | None => refused s BoundWeights
          end
      | _, _, _ => refused s BoundNumbers
      end
  | None => refused s BoundMultiplier
  end.

Lemma faces_line_right : forall s share claim corner box stride, right_weight_claim claim -> right_sums s ->
  right_sums (faces_line s share claim corner box stride).
Proof.
  intros s share claim corner box stride Hclaim H. unfold faces_line.
  destruct (multiplier share) as [[a b] |] eqn:Em; [| apply right_refused; exact H].
  destruct (number stride) as [st |]; [| apply right_refused; exact H].
  destruct (all_of small_number (split comma corner) []) as [lo |]; [| apply right_refused; exact H].
  destruct (all_of small_number (split letter_x box) []) as [e |]; [| apply right_refused; exact H].
  destruct (negb (same_piece Queen (sums_piece s))) eqn:Eq; [apply right_refused; exact H |].
  assert (sums_piece s = Queen) as Hq by (destruct (sums_piece s); [reflexivity | discriminate | discriminate]). clear Eq.
  destruct (negb (_ && _)) eqn:E; [apply right_refused; exact H |]. apply negb_false_iff, andb_prop in E. destruct E as [Hst Hf].
  apply Z.leb_le in Hst. destruct (negb (of_ones_and_threes e)) eqn:Et; [apply right_refused; exact H |].
  apply negb_false_iff in Et.
  destruct (most_box_squares <? volume e); [apply right_refused; exact H |].
  destruct (claim (threes e)) as [[weights most] |] eqn:Ec; [| apply right_refused; exact H].
  destruct (Hclaim _ _ _ Ec) as [Hw0 Hw]. destruct (fits_length _ _ _ _ Hf) as (Hl & Hl' & _).
  apply with_row_right; [exact H |]. intro U. split; [exact U |]. intros _. exists (weighted_squares st lo e weights). split;
    [| split].
  - intros c Hc. apply in_flat_map in Hc. destruct Hc as (o & Ho & Hc). apply repeat_spec in Hc. subst c.
    apply (placed_on_board st lo e); [exact Hst | exact Hf | apply squares_of_on_board; exact Ho].
  - intro h. apply weighted_histogram_right; assumption.
  - intros S HS. apply Z.mul_le_mono_nonneg_l; [apply (multiplier_nonnegative _ _ _ Em) |].
    apply class_independent in HS. rewrite Hq in HS. apply (box_weights_at_most (sums_sides s)); assumption.
Qed.

(** Parses a square of the board and its weight. *)
Definition square_weight (sides : list Z) (w : list Z) : option (square * Z) :=
  match split colon w with
  | [a; b] =>
      match board_square sides a, number b with
      | Some x, Some n => if 1 <=? n then Some (x, n) else None
      | _, _ => None
      end
  | _ => None
  end.

Lemma square_weight_right : forall sides w e, square_weight sides w = Some e -> on_board sides (fst e) /\ 0 <= snd e.
Proof.
  intros sides w e. unfold square_weight. destruct (split colon w) as [| a [| b [| ? ?]]]; try discriminate.
  destruct (board_square sides a) as [x |] eqn:Ex; [| discriminate]. destruct (number b) as [n |]; [| discriminate].
  destruct (Z.leb_spec 1 n); [| discriminate]. intros [= <-]. cbn [fst snd]. split; [| lia].
  apply (board_square_on_board _ _ _ Ex).
Qed.

Definition with_nodes (s : sums) (n : Z) : sums :=
  {| sums_piece := sums_piece s; sums_sides := sums_sides s; sizes := sizes s; with_cases := with_cases s;
    with_faces := with_faces s; with_weights := with_weights s; nodes_left := n; stated := stated s;
     used := used s; splits := splits s; best := best s; rows := rows s; row_count := row_count s; on := on s |}.

(** Adds the inequality of a [weighted] line, which a search proves. *)
Definition weighted_line (s : sums) (share bound : list Z) (squares : list (list Z)) : sums :=
  match multiplier share, number bound with
  | Some (a, b), Some k =>
      if most_weighted <? Z.of_nat (length squares) then refused s BoundMany else
      match all_of (square_weight (sums_sides s)) squares [] with
      | Some l =>
          if negb (ascending (EntrySort.sort l)) then refused s BoundRepeated else
          if most_number <? total snd l then refused s BoundMany else
          match decide (sums_piece s) l k (nodes_left s) with
          | Light n =>
              with_row (with_nodes s n) (used s) 1
                {| above := a; below := b; row_most := k;
                   row_keys := condense (map (fun e => (key (sums_sides s) (fst e), snd e)) l) |}
          | Heavy => refused s BoundHeavier
          | Undecided => refused s BoundNodes
          end
      | None => refused s BoundWeighted
      end
  | None, _ => refused s BoundMultiplier
  | _, None => refused s BoundNumbers
  end.

Lemma weighted_line_right : forall s share bound squares, right_sums s -> right_sums (weighted_line s share bound squares).
Proof.
  intros s share bound squares H. unfold weighted_line.
  destruct (multiplier share) as [[a b] |] eqn:Em; [| apply right_refused; exact H].
  destruct (number bound) as [k |]; [| apply right_refused; exact H].
  destruct (most_weighted <? _); [apply right_refused; exact H |].
  destruct (all_of _ squares []) as [l |] eqn:El; [| apply right_refused; exact H].
  destruct (negb _); [apply right_refused; exact H |]. destruct (most_number <? _); [apply right_refused; exact H |].
  destruct (decide (sums_piece s) l k (nodes_left s)) as [n | |] eqn:Ed; try (apply right_refused; exact H).
  assert (Forall (fun e => on_board (sums_sides s) (fst e) /\ 0 <= snd e) l) as Hl
    by (apply (all_of_Forall _ _ _ _ _ _ _ (square_weight_right (sums_sides s)) (Forall_nil _) El)).
  assert (Forall (fun e => 0 <= snd e) l) as Hw by (eapply Forall_impl; [| exact Hl]; cbn; tauto).
  apply with_row_right; [exact H |]. intro U. split; [exact U |]. intros _. exists (repeated l). split; [| split].
  - intros c Hc. apply in_flat_map in Hc. destruct Hc as (e & He & Hc). apply repeat_spec in Hc. subst c.
    rewrite Forall_forall in Hl. apply (Hl e He).
  - intro h. cbn [row_keys]. rewrite weigh_condense, total_repeated by exact Hw. unfold weigh. rewrite total_map. reflexivity.
  - intros S HS. apply Z.mul_le_mono_nonneg_l; [apply (multiplier_nonnegative _ _ _ Em) |].
    apply (decide_right (sums_piece s) (sums_sides s) l k (nodes_left s) n); [exact Hw | exact Ed |].
    apply (class_independent (with_nodes s n)). exact HS.
Qed.

(** Adds an assumption about the orbit of a square, with a multiplier that is negative for lower limits. *)
Definition assumed_line (s : sums) (is_most : bool) (share square : list Z) : sums :=
  match splits s, multiplier share, board_square (sums_sides s) square with
  | Some c, Some (a, b), Some x =>
      let k := key (sums_sides s) x in
      match (if is_most then most_assumed c k else least_assumed c k) with
      | Some m =>
          with_row s (used s) 0
            {| above := if is_most then a else - a; below := b; row_most := m; row_keys := [(k, size_in (sizes s) k)] |}
      | None => refused s BoundAssumed
      end
  | Some _, Some _, None => refused s BoundSquare
  | Some _, None, _ => refused s BoundMultiplier
  | None, _, _ => refused s BoundDone
  end.

Lemma assumed_line_right : forall s is_most share square, right_sums s -> right_sums (assumed_line s is_most share square).
Proof.
  intros s is_most share square H. unfold assumed_line. destruct (splits s) as [c |] eqn:Ec; [| apply right_refused; exact H].
  destruct (multiplier share) as [[a b] |] eqn:Em; [| try (apply right_refused; exact H); destruct (board_square (sums_sides s) square); apply right_refused; exact H].
  destruct (board_square (sums_sides s) square) as [x |]; [| apply right_refused; exact H]. cbv zeta.
  destruct (if is_most then _ else _) as [m |] eqn:Ea; [| apply right_refused; exact H].
  apply with_row_right; [exact H |]. intro U. split; [exact U |]. intro Hs. unfold right_row. cbn [above row_most row_keys].
  rewrite Hs. apply (orbit_row (sums_piece s)); [apply class_independent |]. intros S HS. unfold class_of in HS. rewrite Ec in HS.
  destruct HS as [_ HS]. pose proof (multiplier_nonnegative _ _ _ Em). destruct is_most.
  - pose proof (most_assumed_right _ _ _ _ _ HS Ea). nia.
  - pose proof (least_assumed_right _ _ _ _ _ HS Ea). nia.
Qed.

(** Splits the current case: the cases that follow first have at most the given number of pieces on an orbit,
    the cases after them have more. *)
Definition split_line (s : sums) (square value : list Z) : sums :=
  match splits s, rows s with
  | Some c, [] =>
      match board_square (sums_sides s) square, number value with
      | Some x, Some m =>
          let k := key (sums_sides s) x in
          if m <? size_in (sizes s) k then
            {| sums_piece := sums_piece s; sums_sides := sums_sides s; sizes := sizes s; with_cases := with_cases s;
              with_faces := with_faces s; with_weights := with_weights s; nodes_left := nodes_left s;
               stated := stated s; used := used s;
               splits := Some ({| split_key := k; split_most := m; second := false |} :: c); best := best s; rows := [];
               row_count := row_count s; on := OnRows |}
          else refused s BoundSplit
      | None, _ => refused s BoundSquare
      | _, None => refused s BoundNumbers
      end
  | Some _, _ => refused s BoundSplit
  | None, _ => refused s BoundDone
  end.

Lemma split_line_right : forall s square value, right_sums s -> right_sums (split_line s square value).
Proof.
  intros s square value H. unfold split_line. destruct (splits s) as [c |] eqn:Ec; [| apply right_refused; exact H].
  destruct (rows s); [| apply right_refused; exact H].
  destruct (board_square (sums_sides s) square) as [x |]; [| apply right_refused; exact H].
  destruct (number value) as [m |]; [| apply right_refused; exact H]. cbv zeta.
  destruct (m <? _); [| apply right_refused; exact H]. intro U. destruct (H U) as [(Hs & Hc & _) _].
  split; [| exact I]. split; [exact Hs |]. split; [| constructor].
  intros S HS. destruct (Hc S HS) as [G | G]; [left | right; exact G]. rewrite Ec in G. apply split_right. exact G.
Qed.

(** Checks that the rows so far bound the current case, and starts the next case. *)
Definition end_case (s : sums) (value : list Z) : sums :=
  match splits s, number value with
  | Some c, Some k =>
      if past_denominators <=? common_denominator (rows s) then refused s BoundDenominator else
      match added_up (sums_sides s) (rows s) with
      | Some m =>
          if m <=? k then
            {| sums_piece := sums_piece s; sums_sides := sums_sides s; sizes := sizes s; with_cases := with_cases s;
              with_faces := with_faces s; with_weights := with_weights s; nodes_left := nodes_left s;
               stated := stated s; used := used s; splits := next_case c; best := Z.max (best s) m; rows := [];
               row_count := row_count s; on := OnRows |}
          else refused s BoundMore
      | None => refused s BoundCounted
      end
  | Some _, None => refused s BoundNumbers
  | None, _ => refused s BoundDone
  end.

Lemma end_case_right : forall s value, right_sums s -> right_sums (end_case s value).
Proof.
  intros s value H. unfold end_case. destruct (splits s) as [c |] eqn:Ec; [| apply right_refused; exact H].
  destruct (number value) as [k |]; [| apply right_refused; exact H].
  destruct (past_denominators <=? _); [apply right_refused; exact H |].
  destruct (added_up _ _) as [m |] eqn:Ea; [| apply right_refused; exact H].
  destruct (m <=? k); [| apply right_refused; exact H]. intro U. destruct (H U) as [(Hs & Hc & Hr) _].
  split; [| exact I]. split; [exact Hs |]. split; [| constructor]. intros S HS. cbn [splits best sums_piece sums_sides].
  destruct (Hc S HS) as [G | G]; [| right; lia]. rewrite Ec in G. destruct G as [G | G].
  - right. assert (Z.of_nat (length S) <= m); [| lia].
    apply (added_up_right (class_of s) (sums_piece s) (sums_sides s) (rows s) m (class_symmetric s) Hr Ea).
    unfold class_of. rewrite Ec. exact G.
  - left. apply next_case_right. exact G.
Qed.

(** Checks the bound of the file. Without cases it also ends the only case. *)
Definition at_most_line (s : sums) (w value : list Z) : sums :=
  if same w w_most then
    let ended := if with_cases s then s else end_case s value in
    match on ended with
    | Refused _ => ended
    | _ =>
        match splits ended, number value with
        | None, Some k => if best ended <=? k then at_stage ended (OnEnd k) else refused ended BoundMore
        | None, None => refused ended BoundNumbers
        | Some _, _ => refused ended BoundOpen
        end
    end
  else refused s BoundKind.

Lemma at_most_line_right : forall s w value, right_sums s -> right_sums (at_most_line s w value).
Proof.
  intros s w value H. unfold at_most_line. destruct (same w w_most); [| apply right_refused; exact H]. cbv zeta.
  assert (right_sums (if with_cases s then s else end_case s value)) as G by (destruct (with_cases s); [| apply end_case_right]; exact H).
  set (ended := if with_cases s then s else end_case s value) in *. clearbody ended. clear H.
  assert (right_sums (match splits ended, number value with
    | None, Some k => if best ended <=? k then at_stage ended (OnEnd k) else refused ended BoundMore
    | None, None => refused ended BoundNumbers
    | Some _, _ => refused ended BoundOpen
    end)) as T.
  { destruct (splits ended) eqn:Es; [apply right_refused; exact G |].
    destruct (number value) as [k |]; [| apply right_refused; exact G].
    destruct (Z.leb_spec (best ended) k) as [Hk |]; [| apply right_refused; exact G].
    intro U. destruct (G U) as [(Hs & Hc & Hr) _]. split; [split; [exact Hs |]; split; [exact Hc | exact Hr] |].
    intros S HS. destruct (Hc S HS) as [L | L]; [rewrite Es in L; destruct L | lia]. }
  destruct (on ended); try exact T. exact G.
Qed.

Definition is_done (s : sums) : bool := match splits s with None => true | Some _ => false end.

Definition row_line (s : sums) (ws : list (list Z)) : sums :=
  match ws with
  | kind :: ws' =>
      if same kind w_at then
        match ws' with
        | [w; value] => at_most_line s w value
        | _ => refused s BoundKind
        end
      else if is_done s then refused s BoundDone
      else if same kind w_clique then
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
      else if negb (with_cases s) then refused s BoundKind
      else if same kind w_case then
        match ws' with
        | [value] => end_case s value
        | _ => refused s BoundKind
        end
      else if with_faces s && same kind w_volume then
        match ws' with
        | [share; bound; corner; box; stride] => faces_line s share (volume_claim bound) corner box stride
        | _ => refused s BoundKind
        end
      else if with_faces s && same kind w_class then
        match ws' with
        | [share; bound; weights; corner; box; stride] => faces_line s share (class_claim bound weights) corner box stride
        | _ => refused s BoundKind
        end
      else if with_weights s && same kind w_weighted then
        match ws' with
        | share :: bound :: squares => weighted_line s share bound squares
        | _ => refused s BoundKind
        end
      else
        match ws' with
        | [a; b] =>
            if same kind w_split then split_line s a b
            else if same kind w_most then assumed_line s true a b
            else if same kind w_least then assumed_line s false a b
            else refused s BoundKind
        | _ => refused s BoundKind
        end
  | [] => refused s BoundKind
  end.

Lemma row_line_right : forall s ws, right_sums s -> right_sums (row_line s ws).
Proof.
  intros s ws H. unfold row_line. destruct ws as [| kind ws]; [apply right_refused; exact H |].
  destruct (same kind w_at).
  { destruct ws as [| ? [| ? [| ? ?]]]; try (apply right_refused; exact H). apply at_most_line_right. exact H. }
  destruct (is_done s); [apply right_refused; exact H |].
  destruct (same kind w_clique).
  { destruct ws; [apply right_refused; exact H | apply clique_line_right; exact H]. }
  destruct (same kind w_box).
  { destruct ws as [| ? [| ? [| ? [| ? [| ? [| ? ?]]]]]]; try (apply right_refused; exact H). apply sub_box_line_right. exact H. }
  destruct (same kind w_needs).
  { destruct ws as [| ? [| ? [| ? ?]]]; try (apply right_refused; exact H). apply needs_line_right. exact H. }
  destruct (negb (with_cases s)); [apply right_refused; exact H |].
  destruct (same kind w_case).
  { destruct ws as [| ? [| ? ?]]; try (apply right_refused; exact H). apply end_case_right. exact H. }
  destruct (with_faces s && same kind w_volume).
  { destruct ws as [| ? [| ? [| ? [| ? [| ? [| ? ?]]]]]]; try (apply right_refused; exact H).
    apply faces_line_right; [apply volume_claim_right | exact H]. }
  destruct (with_faces s && same kind w_class).
  { destruct ws as [| ? [| ? [| ? [| ? [| ? [| ? [| ? ?]]]]]]]; try (apply right_refused; exact H).
    apply faces_line_right; [apply class_claim_right | exact H]. }
  destruct (with_weights s && same kind w_weighted).
  { destruct ws as [| ? [| ? ?]]; try (apply right_refused; exact H). apply weighted_line_right. exact H. }
  destruct ws as [| ? [| ? [| ? ?]]]; try (apply right_refused; exact H).
  destruct (same kind w_split); [apply split_line_right; exact H |].
  destruct (same kind w_most); [apply assumed_line_right; exact H |].
  destruct (same kind w_least); [apply assumed_line_right; exact H | apply right_refused; exact H].
Qed.

(** * A line *)

Definition bound_board_line (s : sums) (line : list Z) : sums :=
  match after w_board line with
  | Some name =>
      match board_named name with
      | Some (p, sides) =>
          if negb (increasing sides) then refused s BoundOrder else
          if most_orbits <? orbits_of sides 0 0 1 then refused s BoundLarge else
          {| sums_piece := p; sums_sides := sides; sizes := sizes_of sides; with_cases := with_cases s;
            with_faces := with_faces s; with_weights := with_weights s; nodes_left := nodes_left s; stated := []; used := [];
             splits := Some []; best := 0; rows := []; row_count := 0; on := OnRows |}
      | None => refused s BoundBoard
      end
  | None => refused s BoundBoard
  end.

(** Returns the state for a format with cases, with or without [volume] and [class] lines, and [weighted]
    lines. *)
Definition of_format (s : sums) (faces weights : bool) : sums :=
  {| sums_piece := sums_piece s; sums_sides := sums_sides s; sizes := sizes s; with_cases := true; with_faces := faces;
     with_weights := weights; nodes_left := nodes_left s;
     stated := stated s; used := used s; splits := splits s; best := best s; rows := rows s; row_count := row_count s;
       on := on s |}.

Definition bound_line (s : sums) (line : list Z) : sums :=
  match on s with
  | Refused _ => s
  | Accepted _ => refused s BoundAfter
  | OnHeader =>
      if same line w_bound then at_stage s OnBoard
      else if same line w_bound_with_cases then at_stage (of_format s false false) OnBoard
      else if same line w_bound_with_faces then at_stage (of_format s true false) OnBoard
      else if same line w_bound_with_weights then at_stage (of_format s true true) OnBoard
      else refused s BoundHeader
  | OnBoard => if printable line then bound_board_line s line else refused s BoundPlain
  | OnRows =>
      if negb (printable line) then refused s BoundPlain
      else if spaced true line then row_line s (split blank line) else refused s BoundSpaced
  | OnEnd k => if same line w_end then at_stage s (Accepted k) else refused s BoundEnd
  end.

Lemma bound_line_right : forall s line, right_sums s -> right_sums (bound_line s line).
Proof.
  intros s line H. unfold bound_line. destruct (on s) as [| | | k | k | f] eqn:E.
  - destruct (same line w_bound); [intro U; split; [apply H; exact U | exact I] |].
    destruct (same line w_bound_with_cases); [intro U; split; [apply H; exact U | exact I] |].
    destruct (same line w_bound_with_faces); [intro U; split; [apply H; exact U | exact I] |].
    destruct (same line w_bound_with_weights); [| apply right_refused; exact H]. intro U. split; [apply H; exact U | exact I].
  - destruct (printable line); [| apply right_refused; exact H]. unfold bound_board_line.
    destruct (after w_board line) as [name |]; [| apply right_refused; exact H].
    destruct (board_named name) as [[p sides] |]; [| apply right_refused; exact H].
    destruct (negb (increasing sides)); [apply right_refused; exact H |].
    destruct (most_orbits <? _); [apply right_refused; exact H |]. intros _. split; [| exact I]. split; [reflexivity |].
    split; [| constructor]. intros S HS. left. left. split; [exact HS | constructor].
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
  bound_line_read : list Z;      (* line so far, its last byte first *)
  bound_length_read : Z;
  bound_lines_read : Z
}.

Definition first_sums : sums_reader :=
  {| summed_up :=
       {| sums_piece := Queen; sums_sides := []; sizes := sizes_of []; with_cases := false; with_faces := false; stated := [];
         used := []; with_weights := false; nodes_left := most_nodes;
          splits := Some []; best := 0; rows := []; row_count := 0; on := OnHeader |};
     bound_line_read := []; bound_length_read := 0; bound_lines_read := 0 |}.

(** Reads one byte. After a fault the state stays the same. *)
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

(** Returns the result of a file: the board, the bound, and the needed bounds. *)
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
  { apply feed_bound_right. intros _. split; [| exact I]. split; [reflexivity |]. split; [| constructor].
    intros S HS. left. left. split; [exact HS | constructor]. }
  destruct (bound_line_read _); [| discriminate]. destruct (on _) eqn:E; try discriminate.
  intros [= <- <- <- <-] Hn. unfold right_sums in H. rewrite E in H. apply H.
  apply Forall_forall. intros [s m] Hin. apply Hn. exact Hin.
Qed.
