(** Inequalities about boxes that lie on a board with a stride, and about odd cycles. *)

From NDQ Require Import Definitions Boxes Sums Faces Text.

(** * Boxes with a stride *)

(** Returns [true] if the squares [corner + stride * offset] lie on the board, for the offsets in the box. *)
Fixpoint fits (stride : Z) (corner box sides : list Z) : bool :=
  match corner, box, sides with
  | [], [], [] => true
  | lo :: corner', e :: box', n :: sides' =>
      (0 <=? lo) && (1 <=? e) && (lo + stride * (e - 1) <? n) && fits stride corner' box' sides'
  | _, _, _ => false
  end.

Definition placed (stride : Z) (corner offset : list Z) : square := map (fun '(lo, t) => lo + stride * t) (combine corner offset).

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

(** * Sides of 1 *)

(** Returns the square without its coordinates along sides of 1. *)
Definition shortened (sides : list Z) (x : square) : square := map snd (filter (fun q => 1 <? fst q) (combine sides x)).

Lemma shortened_on_board : forall sides x, on_board sides x -> on_board (filter (fun n => 1 <? n) sides) (shortened sides x).
Proof.
  intros sides x H. unfold shortened. induction H as [| n c s x Hc H IH]; simpl; [constructor |].
  destruct (1 <? n); simpl; [constructor; assumption | exact IH].
Qed.

Lemma shortened_keeps : forall sides x y, Forall (fun n => 1 <= n) sides -> on_board sides x -> on_board sides y ->
  length x = length y /\ (forall m, near m (shortened sides x) (shortened sides y) -> near m x y) /\
  differ (shortened sides x) (shortened sides y) = differ x y.
Proof.
  intros sides x y Hs Ox Oy. split.
  { rewrite (on_board_length sides x), (on_board_length sides y); auto. }
  unfold shortened. revert y Oy. induction Ox as [| n c s x Hc H IH]; intros y Oy; inversion Oy as [| ? d ? y' Hd Hy']; subst.
  - split; auto.
  - inversion Hs; subst. destruct (IH H3 y' Hy') as [Hn He]. simpl. destruct (Z.ltb_spec 1 n); simpl.
    + split; [| rewrite He; reflexivity]. intros m Hm. inversion Hm; subst. constructor; [assumption | apply Hn; assumption].
    + assert (c = d) as <- by lia. rewrite Z.eqb_refl. split; [| exact He].
      intros m Hm. constructor; [left; reflexivity | apply Hn; exact Hm].
Qed.

(** * Boxes with sides 1 and 3, and weights of their classes *)

(** Returns 1 if [c] is the middle of a side of 3, else 0. *)
Definition middle (n c : Z) : Z := if (n =? 3) && (c =? 1) then 1 else 0.

(** Returns the class of a square: the number of sides of 3 along which it is in the middle. *)
Fixpoint class_in (box : list Z) (o : square) : Z :=
  match box, o with
  | n :: box', c :: o' => middle n c + class_in box' o'
  | _, _ => 0
  end.

Definition threes (box : list Z) : nat := length (filter (fun n => 1 <? n) box).

Definition of_ones_and_threes (box : list Z) : bool := forallb (fun n => (n =? 1) || (n =? 3)) box.

Lemma class_in_nonnegative : forall box o, 0 <= class_in box o.
Proof.
  induction box as [| n box IH]; intros [| c o]; simpl; try lia. specialize (IH o). unfold middle.
  destruct (_ && _); lia.
Qed.

Lemma shortened_class : forall box o, of_ones_and_threes box = true -> on_board box o ->
  filter (fun n => 1 <? n) box = repeat 3 (threes box) /\ Z.of_nat (dimension (shortened box o)) = class_in box o.
Proof.
  intros box o H Ho. unfold threes. induction Ho as [| n c box o Hc Ho IH]; [split; reflexivity |].
  simpl in H. apply andb_prop in H. destruct H as [Hn H]. destruct (IH H) as [E1 E2]. apply orb_prop in Hn. rewrite !Z.eqb_eq in Hn.
  unfold shortened in *. cbn [filter combine fst class_in]. destruct Hn as [-> | ->].
  - change (1 <? 1) with false. cbv iota. split; [exact E1 |]. unfold middle. simpl. exact E2.
  - change (1 <? 3) with true. cbv iota. split; [cbn [length repeat]; f_equal; exact E1 |].
    cbn [map snd]. unfold dimension in *. cbn [free_axes map trues]. rewrite <- E2. unfold middle, free_axes. rewrite Z.eqb_refl.
    destruct (c =? 1); cbn [andb]; lia.
Qed.

Definition weight (weights : list Z) (class : Z) : Z := nth (Z.to_nat class) weights 0.

Lemma box_weights : forall box weights most S, of_ones_and_threes box = true -> Forall (fun n => 1 <= n) box ->
  right_weights (threes box) weights most -> independent Queen box S ->
  total (fun o => weight weights (class_in box o)) S <= most.
Proof.
  intros box weights most S Hb H1 Hw HS. pose proof HS as (Hnd & Hon & Hat). rewrite Forall_forall in Hon.
  destruct S as [| o S'] eqn:E.
  { apply (Hw []). split; [constructor |]. split; [constructor | intros ? ? []]. }
  rewrite <- E in *. clear Hnd. assert (In o S) as Ho by (rewrite E; left; reflexivity). clear E.
  destruct (shortened_class box o Hb (Hon o Ho)) as [E _].
  rewrite (total_ext _ _ (fun x => nth (dimension (shortened box x)) weights 0)).
  - rewrite <- (total_map _ _ (shortened box) (fun x => nth (dimension x) weights 0)). apply Hw. rewrite <- E.
    apply independent_map; [apply HS | exact Hat | |].
    + intros x Hx. apply shortened_on_board. auto.
    + intros x y Hx Hy. apply shortened_keeps; auto.
  - intros x Hx. destruct (shortened_class box x Hb (Hon x Hx)) as [_ Ec]. unfold weight. rewrite <- Ec, Nat2Z.id. reflexivity.
Qed.

(** Returns the weights of the classes and the right-hand side of a [volume] line, for a box with [m] sides of
    3, or [None] if the line is not valid. *)
Definition volume_claim (bound : list Z) (m : nat) : option (list Z * Z) :=
  match number bound with
  | Some k =>
      if (1 <=? k) && (k <? Z.of_nat m)
      then Some (volume_weights m (Z.to_nat k), 2 ^ Z.of_nat (m - Z.to_nat k) - 1) else None
  | None => None
  end.

(** Returns the weights of the classes and the right-hand side of a [class] line, or [None] if the line is not
    valid. *)
Definition class_claim (bound weights : list Z) (m : nat) : option (list Z * Z) :=
  match number bound, all_of number (split comma weights) [] with
  | Some b, Some a => if in_class_table m a b then Some (a, b) else None
  | _, _ => None
  end.

Definition right_weight_claim (claim : nat -> option (list Z * Z)) : Prop :=
  forall m weights most, claim m = Some (weights, most) -> (forall j, 0 <= nth j weights 0) /\ right_weights m weights most.

Lemma volume_claim_right : forall bound, right_weight_claim (volume_claim bound).
Proof.
  intros bound m weights most H. unfold volume_claim in H. destruct (number bound) as [k |]; [| discriminate].
  destruct (_ && _) eqn:E; [| discriminate]. injection H as <- <-. apply andb_prop in E. destruct E as [E1 E2].
  apply Z.leb_le in E1. apply Z.ltb_lt in E2. split; [intro j; apply volume_weights_nonnegative |]. apply volume_row. lia.
Qed.

Lemma class_claim_right : forall bound weights, right_weight_claim (class_claim bound weights).
Proof.
  intros bound weights m a b H. unfold class_claim in H. destruct (number bound) as [c |]; [| discriminate].
  destruct (all_of _ _ _) as [w |]; [| discriminate]. destruct (in_class_table m w c) eqn:E; [| discriminate].
  injection H as <- <-. apply in_class_table_right. exact E.
Qed.

Definition past_coordinates : Z := Eval compute in 2 ^ 30.

Definition small_number (w : list Z) : option Z :=
  match number w with
  | Some n => if n <? past_coordinates then Some n else None
  | None => None
  end.

(** ** Offsets of squares *)

Definition offset_of (stride : Z) (corner : list Z) (x : square) : square :=
  map (fun '(lo, c) => (c - lo) / stride) (combine corner x).

(** Returns [true] for the squares [corner + stride * offset], for the offsets in the box. *)
Definition in_lattice (stride : Z) (corner box : list Z) (x : square) : bool :=
  let o := offset_of stride corner x in insideb (whole box) o && same (placed stride corner o) x.

Lemma same_equal : forall a b, same a b = true -> a = b.
Proof.
  induction a as [| x a IH]; intros [| y b] H; try discriminate; [reflexivity |].
  simpl in H. apply andb_prop in H. destruct H as [E H]. apply Z.eqb_eq in E. rewrite E, (IH b H). reflexivity.
Qed.

Lemma in_lattice_right : forall stride corner box x, in_lattice stride corner box x = true ->
  on_board box (offset_of stride corner x) /\ placed stride corner (offset_of stride corner x) = x.
Proof.
  intros stride corner box x H. unfold in_lattice in H. apply andb_prop in H. destruct H as [H1 H2].
  split; [apply inside_whole, insideb_inside; exact H1 | apply same_equal; exact H2].
Qed.

(** The offsets of an independent set are independent. *)
Lemma offsets_independent : forall p stride corner box S, 1 <= stride -> length corner = length box ->
  NoDup S -> (forall x y, In x S -> In y S -> ~ attacks p x y) ->
  independent p box (map (offset_of stride corner) (filter (in_lattice stride corner box) S)).
Proof.
  intros p stride corner box S Hs Hl Hnd Hat.
  assert (forall x, In x (filter (in_lattice stride corner box) S) -> In x S /\ on_board box (offset_of stride corner x) /\
            placed stride corner (offset_of stride corner x) = x) as H.
  { intros x Hx. apply filter_In in Hx. destruct Hx as [Hx H]. split; [exact Hx | apply in_lattice_right; exact H]. }
  apply (NoDup_filter (in_lattice stride corner box)) in Hnd. revert H Hnd.
  generalize (filter (in_lattice stride corner box) S). intros T H Hnd. split; [| split].
  - clear Hat. induction Hnd as [| x T Hx Hnd IH]; simpl; constructor.
    + intro Hin. apply in_map_iff in Hin. destruct Hin as (y & E & Hy). apply Hx.
      destruct (H x (or_introl eq_refl)) as (_ & _ & <-). destruct (H y (or_intror Hy)) as (_ & _ & Ey).
      rewrite <- E, Ey. exact Hy.
    + apply IH. intros y Hy. apply H. right. exact Hy.
  - apply Forall_forall. intros o Ho. apply in_map_iff in Ho. destruct Ho as (x & <- & Hx). apply H. exact Hx.
  - intros a c Ha Hc Hattack. apply in_map_iff in Ha. apply in_map_iff in Hc.
    destruct Ha as (x & <- & Hx). destruct Hc as (y & <- & Hy). destruct (H x Hx) as (Hx' & Ox & Ex). destruct (H y Hy) as (Hy' & Oy & Ey).
    apply (Hat x y Hx' Hy'). apply attacks_near in Hattack. destruct Hattack as (m & Hm & Hn & Hmv). apply attacks_near.
    apply on_board_length in Ox. apply on_board_length in Oy.
    destruct (placed_keeps stride corner (offset_of stride corner x) (offset_of stride corner y) m Hs) as [Hn' Hd]; try congruence.
    rewrite Ex, Ey in Hn', Hd. exists (stride * m). split; [nia |]. split; [exact Hn' |]. rewrite Hd. exact Hmv.
Qed.

Lemma lattice_at_most : forall p stride corner box m S, 1 <= stride -> length corner = length box -> at_most p box m ->
  NoDup S -> (forall x y, In x S -> In y S -> ~ attacks p x y) ->
  Z.of_nat (length (filter (in_lattice stride corner box) S)) <= m.
Proof.
  intros p stride corner box m S Hs Hl Hm Hnd Hat. rewrite <- (map_length (offset_of stride corner)).
  apply Hm. apply offsets_independent; assumption.
Qed.

(** Returns [true] for the squares of a class in the box. *)
Definition in_class (stride : Z) (corner box : list Z) (j : nat) (x : square) : bool :=
  in_lattice stride corner box x && (class_in box (offset_of stride corner x) =? Z.of_nat j).

Lemma class_in_most : forall box o, class_in box o <= Z.of_nat (length box).
Proof.
  induction box as [| n box IH]; intros [| c o]; cbn [class_in length]; try lia. specialize (IH o). unfold middle.
  destruct (_ && _); lia.
Qed.

Lemma one_class : forall f c from n, 0 <= c - Z.of_nat from < Z.of_nat n ->
  total (fun j => if c =? Z.of_nat j then f j else 0) (seq from n) = f (Z.to_nat c).
Proof.
  intros f c from n. revert from. induction n as [| n IH]; intros from H; [lia |]. cbn [seq total fold_right].
  fold (total (fun j => if c =? Z.of_nat j then f j else 0) (seq (S from) n)).
  destruct (Z.eqb_spec c (Z.of_nat from)) as [E | E].
  - rewrite (total_ext _ _ (fun _ => 0)).
    + rewrite total_constant. rewrite E, Nat2Z.id. lia.
    + intros j Hj. apply in_seq in Hj. destruct (Z.eqb_spec c (Z.of_nat j)); [lia | reflexivity].
  - rewrite IH by lia. lia.
Qed.

(** The weights of the classes 0 to [n] bound a weighted sum of the squares of each class. *)
Lemma classes_at_most : forall stride corner box weights most T, 1 <= stride -> length corner = length box ->
  of_ones_and_threes box = true -> Forall (fun n => 1 <= n) box -> right_weights (threes box) weights most ->
  NoDup T -> (forall x y, In x T -> In y T -> ~ attacks Queen x y) ->
  total (fun j => nth j weights 0 * Z.of_nat (length (filter (in_class stride corner box j) T))) (seq 0 (S (length box))) <= most.
Proof.
  intros stride corner box weights most T Hs Hl Hb H1 Hw Hnd Hat.
  pose proof (box_weights box weights most _ Hb H1 Hw (offsets_independent Queen stride corner box T Hs Hl Hnd Hat)) as G.
  rewrite total_map, total_filter in G. etransitivity; [| exact G]. apply Z.eq_le_incl.
  transitivity (total (fun j => total (fun x => if in_class stride corner box j x then nth j weights 0 else 0) T)
    (seq 0 (S (length box)))).
  - apply total_ext. intros j _. rewrite <- total_filter, total_constant. lia.
  - rewrite total_swap. apply total_ext. intros x _. unfold in_class. destruct (in_lattice stride corner box x); cbn [andb].
    + rewrite (one_class (fun j => nth j weights 0)); [reflexivity |].
      pose proof (class_in_nonnegative box (offset_of stride corner x)). pose proof (class_in_most box (offset_of stride corner x)). lia.
    + rewrite total_constant. lia.
Qed.

(** * Odd cycles *)

(** Returns [true] if each two successive entries are related, and the last one with [first]. *)
Fixpoint closes {A} (related : A -> A -> bool) (first last : A) (l : list A) : bool :=
  match l with
  | [] => related last first
  | x :: l' => related last x && closes related first x l'
  end.

(** If at most one of each two related entries counts 1, twice the sum is at most the length. *)
Lemma cycle_most : forall A (related : A -> A -> bool) (f : A -> Z),
  (forall x, 0 <= f x <= 1) -> (forall x y, related x y = true -> f x + f y <= 1) ->
  forall l first last, closes related first last l = true ->
  f last + 2 * total f l + f first <= Z.of_nat (length l) + 1.
Proof.
  intros A related f H01 Hr. induction l as [| x l IH]; intros first last H.
  - cbn [total fold_right length]. simpl in H. specialize (Hr _ _ H). lia.
  - simpl in H. apply andb_prop in H. destruct H as [H1 H2]. specialize (IH _ _ H2). specialize (Hr _ _ H1).
    cbn [total fold_right length]. fold (total f l). rewrite Nat2Z.inj_succ. lia.
Qed.
