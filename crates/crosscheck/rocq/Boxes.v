(** Boxes: a test of attack, and bounds of boxes by lines, by other boxes turned or shifted, and by a cut. *)

From NDQ Require Import Definitions.

(** * Attack, entry by entry *)

Definition near (m : Z) (x y : list Z) : Prop := Forall2 (fun a b => a = b \/ Z.abs (b - a) = m) x y.

Fixpoint differ (x y : list Z) : nat :=
  match x, y with
  | a :: x', b :: y' => Nat.add (if a =? b then 0%nat else 1%nat) (differ x' y')
  | _, _ => 0%nat
  end.

Definition moves (p : piece) (n : nat) : bool :=
  match p with
  | Queen => (1 <=? n)%nat
  | Rook => (n =? 1)%nat
  | Bishop => (2 <=? n)%nat
  end.

Lemma moves_direction : forall p v,
  Forall (fun e => e = -1 \/ e = 0 \/ e = 1) v -> moves p (nonzeros v) = true <-> direction p v.
Proof.
  intros p v H. unfold direction, moves. destruct p; rewrite ?Nat.leb_le, ?Nat.eqb_eq; unfold ge; tauto.
Qed.

Lemma nonzeros_cons : forall e v, nonzeros (e :: v) = Nat.add (if e =? 0 then 0%nat else 1%nat) (nonzeros v).
Proof. intros e v. unfold nonzeros. simpl. destruct (e =? 0); reflexivity. Qed.

Lemma moved_near : forall m v x, m >= 1 -> length v = length x ->
  Forall (fun e => e = -1 \/ e = 0 \/ e = 1) v ->
  let y := map (fun '(e, c) => c + m * e) (combine v x) in
  near m x y /\ differ x y = nonzeros v.
Proof.
  intros m v x Hm. revert x. induction v as [| e v IH]; intros [| c x] Hl Hv; try discriminate; simpl.
  - split; [constructor | reflexivity].
  - inversion Hv as [| ? ? He Hv']; subst. injection Hl as Hl.
    destruct (IH x Hl Hv') as [Hn Hd]. split.
    + constructor; [| exact Hn]. destruct He as [-> | [-> | ->]]; lia.
    + rewrite nonzeros_cons, Hd. f_equal.
      destruct (Z.eqb_spec c (c + m * e)); destruct (Z.eqb_spec e 0); try reflexivity; exfalso; nia.
Qed.

Lemma Forall2_length : forall A B (R : A -> B -> Prop) l l', Forall2 R l l' -> length l = length l'.
Proof. intros A B R l l' H. induction H; simpl; congruence. Qed.

Lemma near_length : forall m x y, near m x y -> length x = length y.
Proof. intros m x y H. eapply Forall2_length; exact H. Qed.

Lemma near_moved : forall m x y, m >= 1 -> near m x y ->
  exists v, Forall (fun e => e = -1 \/ e = 0 \/ e = 1) v /\ nonzeros v = differ x y /\ moved m v x y.
Proof.
  intros m x y Hm H. induction H as [| a b x y Hab H (v & Hv & Hn & Hl & Hy)].
  - exists []. repeat split. constructor.
  - exists (Z.sgn (b - a) :: v). split; [| split; [| split]].
    + constructor; [| exact Hv]. destruct (Z.sgn_spec (b - a)) as [[_ ->] | [[_ ->] | [_ ->]]]; auto.
    + rewrite nonzeros_cons. simpl. rewrite Hn. f_equal.
      destruct (Z.eqb_spec a b); destruct (Z.eqb_spec (Z.sgn (b - a)) 0); auto; lia.
    + simpl. congruence.
    + simpl. f_equal; [| exact Hy]. destruct (Z.sgn_spec (b - a)) as [[? ->] | [[? ->] | [? ->]]]; lia.
Qed.

Lemma attacks_near : forall p x y,
  attacks p x y <-> exists m, m >= 1 /\ near m x y /\ moves p (differ x y) = true.
Proof.
  intros p x y. split.
  - intros (m & v & Hm & Hv & Hl & ->). exists m.
    destruct (moved_near m v x Hm Hl (proj1 Hv)) as [Hn Hd].
    repeat split; auto. rewrite Hd. apply moves_direction; [exact (proj1 Hv) | exact Hv].
  - intros (m & Hm & Hn & Hmv). destruct (near_moved m x y Hm Hn) as (v & Hv & Hz & Hy).
    exists m, v. repeat split; auto; try apply Hy. rewrite <- Hz in Hmv.
    apply (proj1 (moves_direction p v Hv)) in Hmv. apply Hmv.
Qed.

(** Returns the number of differing coordinates if all of them differ by the same number. [m] is the
    difference so far, or 0. *)
Fixpoint scan (m : Z) (n : nat) (x y : list Z) : option nat :=
  match x, y with
  | [], [] => Some n
  | a :: x', b :: y' =>
      let d := Z.abs (b - a) in
      if d =? 0 then scan m n x' y'
      else if (m =? 0) || (d =? m) then scan d (S n) x' y' else None
  | _, _ => None
  end.

Definition attacksb (p : piece) (x y : square) : bool :=
  match scan 0 0 x y with
  | Some n => moves p n
  | None => false
  end.

Lemma scan_near : forall x y m n k, m >= 1 ->
  scan m n x y = Some k <-> near m x y /\ k = (n + differ x y)%nat.
Proof.
  induction x as [| a x IH]; intros [| b y] m n k Hm; simpl.
  - split; [intros [= ->]; split; [constructor | lia] | intros [_ ->]; f_equal; lia].
  - split; [discriminate | intros [H _]; inversion H].
  - split; [discriminate | intros [H _]; inversion H].
  - destruct (Z.eqb_spec (Z.abs (b - a)) 0) as [E | E].
    + rewrite IH by assumption. destruct (Z.eqb_spec a b); [| lia].
      split; intros [H ->]; (split; [| lia]); [constructor; auto | inversion H; auto].
    + destruct (Z.eqb_spec m 0); [lia |]. destruct (Z.eqb_spec a b); [lia |]. simpl.
      destruct (Z.eqb_spec (Z.abs (b - a)) m) as [E' | E'].
      * rewrite E'. rewrite IH by assumption.
        split; intros [H ->]; (split; [| lia]); [constructor; auto | inversion H; auto].
      * split; [discriminate |]. intros [H _]. inversion H; subst. lia.
Qed.

Lemma near_equal : forall m x y, near m x y -> differ x y = 0%nat -> x = y.
Proof.
  intros m x y H. induction H as [| a b x y Hab H IH]; simpl; auto.
  destruct (Z.eqb_spec a b); [intro; f_equal; auto | discriminate].
Qed.

Lemma differ_self : forall x, differ x x = 0%nat.
Proof. induction x as [| a x IH]; simpl; auto. rewrite Z.eqb_refl. exact IH. Qed.

Lemma near_self : forall m x, near m x x.
Proof. induction x; constructor; auto. Qed.

Lemma scan_first : forall x y n k,
  scan 0 n x y = Some k <-> (exists m, m >= 1 /\ near m x y) /\ k = (n + differ x y)%nat.
Proof.
  induction x as [| a x IH]; intros [| b y] n k; simpl.
  - split.
    + intros [= ->]. split; [exists 1; split; [lia | constructor] | lia].
    + intros [_ ->]. f_equal. lia.
  - split; [discriminate | intros [(m & _ & H) _]; inversion H].
  - split; [discriminate | intros [(m & _ & H) _]; inversion H].
  - destruct (Z.eqb_spec (Z.abs (b - a)) 0) as [E | E].
    + rewrite IH. destruct (Z.eqb_spec a b); [| lia].
      split; intros [(m & Hm & H) ->]; (split; [| lia]); exists m; (split; [exact Hm |]).
      * constructor; auto.
      * inversion H; auto.
    + destruct (Z.eqb_spec a b); [lia |]. simpl. rewrite scan_near by lia. split.
      * intros [H ->]. split; [| lia]. exists (Z.abs (b - a)). split; [lia |]. constructor; auto.
      * intros [(m & Hm & H) ->]. inversion H as [| ? ? ? ? Hab Hxy]; subst.
        destruct Hab as [Hab | Hab]; [lia |]. rewrite Hab. split; [exact Hxy | lia].
Qed.

Lemma attacksb_attacks : forall p x y, attacksb p x y = true <-> attacks p x y.
Proof.
  intros p x y. rewrite attacks_near. unfold attacksb.
  destruct (scan 0 0 x y) as [n |] eqn:E.
  - apply scan_first in E. destruct E as [(m & Hm & Hn) ->]. simpl. split.
    + intro H. exists m. auto.
    + intros (m' & _ & _ & H). exact H.
  - split; [discriminate |]. intros (m & Hm & Hn & _).
    assert (scan 0 0 x y = Some (0 + differ x y)%nat) as H.
    { apply scan_first. split; [exists m; auto | reflexivity]. }
    rewrite H in E. discriminate.
Qed.

(** * Maps between boxes *)

(** Maps that keep all differences preserve independence. *)
Lemma independent_map : forall p sides (f : square -> square) S, NoDup S ->
  (forall x y, In x S -> In y S -> ~ attacks p x y) ->
  (forall x, In x S -> on_board sides (f x)) ->
  (forall x y, In x S -> In y S ->
     length x = length y /\ (forall m, near m (f x) (f y) -> near m x y) /\ differ (f x) (f y) = differ x y) ->
  independent p sides (map f S).
Proof.
  intros p sides f S Hnd Hat Hon Hf.
  split; [| split].
  - clear Hat Hon. induction S as [| x S IH]; simpl; [constructor |].
    inversion Hnd as [| ? ? Hx Hnd']; subst. constructor.
    + intro Hin. apply in_map_iff in Hin. destruct Hin as (y & Hxy & Hy). apply Hx.
      destruct (Hf y x (or_intror Hy) (or_introl eq_refl)) as (_ & Hnear & Hd).
      rewrite Hxy, differ_self in Hd.
      assert (near 1 y x) as Hn by (apply Hnear; rewrite Hxy; apply near_self).
      rewrite <- (near_equal 1 y x Hn (eq_sym Hd)). exact Hy.
    + apply IH; [exact Hnd' |]. intros; apply Hf; right; assumption.
  - apply Forall_forall. intros y Hy. apply in_map_iff in Hy. destruct Hy as (x & <- & Hx). auto.
  - intros y1 y2 H1 H2. apply in_map_iff in H1. apply in_map_iff in H2.
    destruct H1 as (x1 & <- & H1). destruct H2 as (x2 & <- & H2). intro Ha.
    apply (Hat x1 x2 H1 H2). apply attacks_near in Ha. destruct Ha as (m & Hm & Hn & Hmv).
    destruct (Hf x1 x2 H1 H2) as (_ & Hnear & Hd).
    apply attacks_near. exists m. rewrite <- Hd. auto.
Qed.

(** A bound of a box holds for each set that a map takes into the box while it keeps all differences. *)
Lemma at_most_map : forall p sides b (f : square -> square) S,
  at_most p sides b -> NoDup S ->
  (forall x y, In x S -> In y S -> ~ attacks p x y) ->
  (forall x, In x S -> on_board sides (f x)) ->
  (forall x y, In x S -> In y S ->
     length x = length y /\ (forall m, near m (f x) (f y) -> near m x y) /\ differ (f x) (f y) = differ x y) ->
  Z.of_nat (length S) <= b.
Proof.
  intros p sides b f S Hb Hnd Hat Hon Hf. rewrite <- (map_length f S). apply Hb. apply independent_map; assumption.
Qed.

(** Some map takes the box with sides [s'] into the box with sides [s] and keeps all differences. *)
Definition turns (s' s : list Z) : Prop := exists f : square -> square,
  (forall x, on_board s' x -> on_board s (f x)) /\
  forall x y, on_board s' x -> on_board s' y ->
    (forall m, near m (f x) (f y) -> near m x y) /\ differ (f x) (f y) = differ x y.

Lemma on_board_length : forall s x, on_board s x -> length x = length s.
Proof. intros s x H. symmetry. eapply Forall2_length; exact H. Qed.

Lemma permutation_turns : forall s s', Permutation s s' -> turns s' s.
Proof.
  intros s s' H. induction H as [| n s s' H (f & Hon & Hf) | n m s | s1 s2 s3 H12 (f & Hf1 & Hf2) H23 (g & Hg1 & Hg2)].
  - exists (fun x => x). split; auto.
  - exists (fun x => match x with [] => [] | c :: x' => c :: f x' end). split.
    + intros x Hx. inversion Hx; subst. constructor; [assumption | apply Hon; assumption].
    + intros x y Hx Hy. inversion Hx; subst. inversion Hy; subst.
      match goal with Hx' : Forall2 _ s' ?a, Hy' : Forall2 _ s' ?b |- _ =>
        destruct (Hf a b Hx' Hy') as [Hn Hd] end.
      split.
      * intros k Hk. inversion Hk; subst. constructor; [assumption | apply Hn; assumption].
      * simpl. rewrite Hd. reflexivity.
  - exists (fun x => match x with c :: d :: x' => d :: c :: x' | _ => x end). split.
    + intros x Hx. inversion Hx as [| ? c ? x1 Hc Hx1]; subst. inversion Hx1; subst.
      constructor; [| constructor]; auto.
    + intros x y Hx Hy. inversion Hx as [| ? c ? x1 Hc Hx1]; subst. inversion Hx1; subst.
      inversion Hy as [| ? c' ? y1 Hc' Hy1]; subst. inversion Hy1; subst. split.
      * intros k Hk. inversion Hk as [| ? ? ? ? K1 K2]; subst. inversion K2; subst.
        constructor; [| constructor]; auto.
      * simpl. lia.
  - exists (fun x => f (g x)). split.
    + intros x Hx. auto.
    + intros x y Hx Hy. destruct (Hg2 x y Hx Hy) as [Gn Gd].
      destruct (Hf2 (g x) (g y) (Hg1 x Hx) (Hg1 y Hy)) as [Fn Fd]. split.
      * intros k Hk. auto.
      * congruence.
Qed.

Lemma at_most_permutation : forall p s s' b, Permutation s s' -> at_most p s b -> at_most p s' b.
Proof.
  intros p s s' b H Hb S (Hnd & Hon & Hat). rewrite Forall_forall in Hon.
  destruct (permutation_turns s s' H) as (f & Hf1 & Hf2).
  apply (at_most_map p s b f S); auto.
  intros x y Hx Hy. split; [| apply Hf2; auto].
  rewrite (on_board_length s' x), (on_board_length s' y); auto.
Qed.

(** * Cuboids: the first coordinate and the number of coordinates along each axis *)

Definition cuboid := list (Z * Z).

Definition inside (r : cuboid) (x : square) : Prop :=
  Forall2 (fun '(lo, size) c => lo <= c < lo + size) r x.

Fixpoint insideb (r : cuboid) (x : square) : bool :=
  match r, x with
  | [], [] => true
  | (lo, size) :: r', c :: x' => (lo <=? c) && (c <? lo + size) && insideb r' x'
  | _, _ => false
  end.

Lemma insideb_inside : forall r x, insideb r x = true <-> inside r x.
Proof.
  unfold inside. induction r as [| [lo size] r IH]; intros [| c x]; simpl.
  - split; constructor.
  - split; [discriminate | intro H; inversion H].
  - split; [discriminate | intro H; inversion H].
  - rewrite !andb_true_iff, IH, Z.leb_le, Z.ltb_lt. split.
    + intros [[? ?] ?]. constructor; auto.
    + intro H. inversion H; subst. tauto.
Qed.

Definition shifted (r : cuboid) (x : square) : square :=
  map (fun '((lo, _), c) => c - lo) (combine r x).

Lemma shifted_near : forall r x y, inside r x -> inside r y ->
  length x = length y /\ (forall m, near m (shifted r x) (shifted r y) -> near m x y) /\
  differ (shifted r x) (shifted r y) = differ x y.
Proof.
  unfold inside. intros r x y Hx. revert y.
  induction Hx as [| [lo size] c r x Hc Hx IH]; intros y Hy; inversion Hy as [| ? c' ? y' Hc' Hy']; subst.
  - repeat split; auto.
  - destruct (IH y' Hy') as (Hl & Hn & Hd). simpl. split; [congruence | split].
    + intros m Hm. inversion Hm as [| ? ? ? ? Hab Hm']; subst. constructor; [lia | apply Hn, Hm'].
    + unfold shifted in *. simpl. rewrite Hd.
      destruct (Z.eqb_spec (c - lo) (c' - lo)); destruct (Z.eqb_spec c c'); auto; lia.
Qed.

Lemma shifted_on_board : forall r x, inside r x -> on_board (map snd r) (shifted r x).
Proof.
  intros r x H. induction H as [| [lo size] c r x Hc Hx IH]; simpl; constructor; auto. simpl. lia.
Qed.

Lemma at_most_inside : forall p r b S,
  at_most p (map snd r) b -> NoDup S -> (forall x y, In x S -> In y S -> ~ attacks p x y) ->
  (forall x, In x S -> inside r x) -> Z.of_nat (length S) <= b.
Proof.
  intros p r b S Hb Hnd Hat Hin.
  apply (at_most_map p (map snd r) b (shifted r) S); auto.
  - intros x Hx. apply shifted_on_board; auto.
  - intros x y Hx Hy. apply shifted_near; auto.
Qed.

(** * All squares of a box *)

Fixpoint count_up (n : nat) (from : Z) : list Z :=
  match n with
  | O => []
  | S n' => from :: count_up n' (from + 1)
  end.

Lemma in_count_up : forall n from c, from <= c < from + Z.of_nat n -> In c (count_up n from).
Proof.
  induction n as [| n IH]; intros from c H; [lia |]. simpl.
  destruct (Z.eq_dec from c); [left; assumption | right; apply IH; lia].
Qed.

Lemma length_count_up : forall n from, length (count_up n from) = n.
Proof. induction n; simpl; auto. Qed.

Fixpoint squares_of (sides : list Z) : list square :=
  match sides with
  | [] => [[]]
  | n :: s => let below := squares_of s in flat_map (fun c => map (cons c) below) (count_up (Z.to_nat n) 0)
  end.

Lemma in_squares_of : forall sides x, on_board sides x -> In x (squares_of sides).
Proof.
  induction sides as [| n s IH]; intros x H; inversion H as [| ? c ? y Hc Hy]; subst; simpl; [left; reflexivity |].
  apply in_flat_map. exists c. split; [apply in_count_up; lia | apply in_map, IH; exact Hy].
Qed.

Definition volume (sides : list Z) : Z := fold_right Z.mul 1 sides.

Lemma length_squares_of : forall sides, Forall (fun n => 0 <= n) sides ->
  Z.of_nat (length (squares_of sides)) = volume sides.
Proof.
  induction sides as [| n s IH]; intro H; [reflexivity |]. inversion H; subst. simpl.
  assert (forall l, Z.of_nat (length (flat_map (fun c : Z => map (cons c) (squares_of s)) l))
                    = Z.of_nat (length l) * Z.of_nat (length (squares_of s))) as G.
  { induction l as [| c l IHl]; [reflexivity |]. simpl flat_map.
    rewrite app_length, map_length, Nat2Z.inj_add, IHl. simpl length. rewrite Nat2Z.inj_succ, Z.mul_succ_l. apply Z.add_comm. }
  rewrite G, length_count_up, IH by assumption. rewrite Z2Nat.id by assumption. reflexivity.
Qed.

(** * Lines *)

(** Returns the number of lines along the last axis: one for each square of the face across it. *)
Definition lines_bound (sides : list Z) : Z := volume (removelast sides).

Lemma near_last : forall x c d, near (Z.abs (d - c)) (x ++ [c]) (x ++ [d]).
Proof.
  intros x c d. apply Forall2_app; [apply near_self | constructor; [right; reflexivity | constructor]].
Qed.

Lemma differ_last : forall x c d, c <> d -> differ (x ++ [c]) (x ++ [d]) = 1%nat.
Proof.
  intros x c d H. induction x as [| a x IH]; simpl.
  - destruct (Z.eqb_spec c d); [contradiction | reflexivity].
  - rewrite Z.eqb_refl. exact IH.
Qed.

Lemma at_most_volume : forall p sides, Forall (fun n => 0 <= n) sides -> at_most p sides (volume sides).
Proof.
  intros p sides Hs S (Hnd & Hon & _). rewrite <- length_squares_of by assumption.
  apply inj_le. apply NoDup_incl_length; [exact Hnd |]. intros x Hx.
  rewrite Forall_forall in Hon. apply in_squares_of. auto.
Qed.

Lemma at_most_lines : forall p sides, p <> Bishop -> sides <> [] -> Forall (fun n => 0 <= n) sides ->
  at_most p sides (lines_bound sides).
Proof.
  intros p sides Hp Hne Hs S (Hnd & Hon & Hat). rewrite Forall_forall in Hon. unfold lines_bound.
  destruct (exists_last Hne) as (s & n & ->). rewrite removelast_last.
  apply Forall_app in Hs. destruct Hs as [Hs _].
  assert (forall x, on_board (s ++ [n]) x -> exists x' c, x = x' ++ [c] /\ on_board s x') as Hsplit.
  { intros x Hx. apply Forall2_app_inv_l in Hx. destruct Hx as (x' & l & H1 & H2 & ->).
    inversion H2 as [| ? c ? ? ? H3]; subst. inversion H3; subst. exists x', c. auto. }
  rewrite <- length_squares_of by assumption. unfold square in *. rewrite <- (map_length (@removelast Z) S). apply inj_le.
  apply NoDup_incl_length.
  - clear Hs. induction S as [| x S IH]; simpl; [constructor |].
    inversion Hnd as [| ? ? Hx Hnd']; subst. constructor.
    + intro Hin. apply in_map_iff in Hin. destruct Hin as (y & Heq & Hy).
      destruct (Hsplit x (Hon x (or_introl eq_refl))) as (x' & c & -> & _).
      destruct (Hsplit y (Hon y (or_intror Hy))) as (y' & d & -> & _).
      rewrite !removelast_last in Heq. subst y'.
      destruct (Z.eq_dec c d) as [-> | Hcd]; [contradiction |].
      apply (Hat (x' ++ [c]) (x' ++ [d])); [left; reflexivity | right; exact Hy |].
      apply attacks_near. exists (Z.abs (d - c)). split; [lia |]. split; [apply near_last |].
      rewrite differ_last by assumption. destruct p; [reflexivity | reflexivity | contradiction].
    + apply IH; auto; intros; [apply Hon | apply Hat]; right; assumption.
  - intros y Hy. apply in_map_iff in Hy. destruct Hy as (x & <- & Hx).
    destruct (Hsplit x (Hon x Hx)) as (x' & c & -> & Hx'). rewrite removelast_last. apply in_squares_of. exact Hx'.
Qed.

(** * Cuts and slabs *)

Definition whole (sides : list Z) : cuboid := map (fun n => (0, n)) sides.

Fixpoint with_axis (a : nat) (range : Z * Z) (r : cuboid) : cuboid :=
  match a, r with
  | _, [] => []
  | O, _ :: r' => range :: r'
  | S a', q :: r' => q :: with_axis a' range r'
  end.

Lemma inside_whole : forall sides x, on_board sides x <-> inside (whole sides) x.
Proof.
  unfold on_board, inside, whole. induction sides as [| n s IH]; intro x; simpl.
  - split; intro H; inversion H; constructor.
  - split; intro H; inversion H; subst; constructor; try lia; apply IH; assumption.
Qed.

Lemma inside_with_axis : forall a lo size r x, inside r x -> (a < length r)%nat ->
  lo <= nth a x 0 < lo + size -> inside (with_axis a (lo, size) r) x.
Proof.
  unfold inside. induction a as [| a IH]; intros lo size r x H Ha Hc; inversion H; subst; simpl in *; try lia.
  - constructor; assumption.
  - constructor; [assumption |]. apply IH; auto. lia.
Qed.

Lemma nth_inside : forall a sides x, on_board sides x -> (a < length sides)%nat -> 0 <= nth a x 0 < nth a sides 0.
Proof.
  induction a as [| a IH]; intros sides x H Ha; inversion H; subst; simpl in *; try lia. apply IH; auto. lia.
Qed.

(** * Counting with a test *)

Lemma filter_split : forall A (f : A -> bool) l,
  length l = (length (filter f l) + length (filter (fun x => negb (f x)) l))%nat.
Proof. intros A f l. induction l as [| x l IH]; simpl; auto. destruct (f x); simpl; lia. Qed.

(** The part of an independent set in a box is at most as large as the bound of the box. *)
Lemma filter_inside : forall p r b S (f : square -> bool),
  at_most p (map snd r) b -> NoDup S -> (forall x y, In x S -> In y S -> ~ attacks p x y) ->
  (forall x, In x S -> f x = true -> inside r x) -> Z.of_nat (length (filter f S)) <= b.
Proof.
  intros p r b S f Hb Hnd Hat Hin. apply (at_most_inside p r b); auto.
  - apply NoDup_filter. exact Hnd.
  - intros x y Hx Hy. apply filter_In in Hx. apply filter_In in Hy. apply Hat; tauto.
  - intros x Hx. apply filter_In in Hx. destruct Hx. auto.
Qed.

Lemma at_most_cut : forall p sides a w b1 b2, (a < length sides)%nat ->
  at_most p (map snd (with_axis a (0, w) (whole sides))) b1 ->
  at_most p (map snd (with_axis a (w, nth a sides 0 - w) (whole sides))) b2 ->
  at_most p sides (b1 + b2).
Proof.
  intros p sides a w b1 b2 Ha H1 H2 S (Hnd & Hon & Hat). rewrite Forall_forall in Hon.
  rewrite (filter_split square (fun x => nth a x 0 <? w) S), Nat2Z.inj_add.
  assert (length (whole sides) = length sides) as Hw by apply map_length.
  apply Z.add_le_mono.
  - apply (filter_inside p (with_axis a (0, w) (whole sides))); auto.
    intros x Hx Hf. apply Z.ltb_lt in Hf. destruct (nth_inside a sides x (Hon x Hx) Ha).
    apply inside_with_axis; [apply inside_whole; auto | lia | lia].
  - apply (filter_inside p (with_axis a (w, nth a sides 0 - w) (whole sides))); auto.
    intros x Hx Hf. apply negb_true_iff, Z.ltb_ge in Hf. destruct (nth_inside a sides x (Hon x Hx) Ha).
    apply inside_with_axis; [apply inside_whole; auto | lia | lia].
Qed.

(** A box without squares contains no square. *)
Lemma inside_empty : forall a lo r x, (a < length r)%nat -> ~ inside (with_axis a (lo, 0) r) x.
Proof.
  unfold inside. induction a as [| a IH]; intros lo [| q r] x Ha H; simpl in *; try lia; inversion H; subst.
  - lia.
  - eapply (IH lo r); [| eassumption]. lia.
Qed.

(** * Independent sets: the squares lie on the board, differ, and do not attack each other, pair by pair *)

(** Returns [true] if two squares are equal or attack each other. *)
Definition conflict (p : piece) (x y : square) : bool :=
  match scan 0 0 x y with
  | Some n => Nat.eqb n 0 || moves p n
  | None => false
  end.

Lemma no_conflict : forall p x y, length x = length y -> conflict p x y = false -> x <> y /\ ~ attacks p x y.
Proof.
  intros p x y Hl H. split.
  - intros ->. unfold conflict in H.
    assert (scan 0 0 y y = Some (0 + differ y y)%nat) as E.
    { apply scan_first. split; [exists 1; split; [lia | apply near_self] | reflexivity]. }
    rewrite E, differ_self in H. discriminate.
  - intro Ha. apply attacksb_attacks in Ha. unfold attacksb in Ha. unfold conflict in H.
    destruct (scan 0 0 x y); [rewrite Ha, orb_true_r in H |]; discriminate.
Qed.

Lemma attacks_symmetric : forall p x y, attacks p x y -> attacks p y x.
Proof.
  intros p x y. rewrite !attacks_near. intros (m & Hm & Hn & Hmv). exists m. split; [exact Hm |].
  assert (near m y x) as Hn'.
  { clear -Hn. induction Hn as [| a b x y Hab Hn IH]; constructor; [| exact IH]. destruct Hab; [left | right]; lia. }
  assert (differ y x = differ x y) as ->.
  { clear -Hn. induction Hn as [| a b x y Hab Hn IH]; simpl; [reflexivity |]. rewrite Z.eqb_sym, IH. reflexivity. }
  auto.
Qed.

Lemma attacks_irreflexive : forall p x, ~ attacks p x x.
Proof.
  intros p x H. apply attacks_near in H. destruct H as (m & _ & _ & Hm). rewrite differ_self in Hm.
  destruct p; discriminate.
Qed.

Definition free_of (p : piece) (x : square) (l : list square) : bool := forallb (fun y => negb (conflict p x y)) l.

Fixpoint independentb (p : piece) (l : list square) : bool :=
  match l with
  | [] => true
  | x :: l' => if free_of p x l' then independentb p l' else false
  end.

Lemma independentb_right : forall p sides l, forallb (insideb (whole sides)) l = true -> independentb p l = true ->
  independent p sides l.
Proof.
  intros p sides l Hon H. rewrite forallb_forall in Hon.
  assert (forall x, In x l -> on_board sides x) as Hb.
  { intros x Hx. apply inside_whole, insideb_inside, Hon, Hx. }
  clear Hon. split; [| split; [apply Forall_forall; exact Hb |]].
  - induction l as [| x l IH]; [constructor |]. simpl in H. destruct (free_of p x l) eqn:E; [| discriminate].
    unfold free_of in E. rewrite forallb_forall in E. constructor.
    + intro Hin. specialize (E x Hin). apply negb_true_iff in E. destruct (no_conflict p x x eq_refl E). contradiction.
    + apply IH; auto. intros y Hy. apply Hb. right. exact Hy.
  - induction l as [| x l IH]; [intros ? ? [] |]. simpl in H. destruct (free_of p x l) eqn:E; [| discriminate].
    unfold free_of in E. rewrite forallb_forall in E.
    assert (forall y, In y l -> ~ attacks p x y) as Hx.
    { intros y Hy. specialize (E y Hy). apply negb_true_iff in E. apply (no_conflict p x y); [| exact E].
      rewrite (on_board_length sides x), (on_board_length sides y); auto; apply Hb; simpl; auto. }
    intros u v [<- | Hu] [<- | Hv].
    + apply attacks_irreflexive.
    + apply Hx. exact Hv.
    + intro Ha. apply (Hx u Hu). apply attacks_symmetric. exact Ha.
    + apply IH; auto. intros y Hy. apply Hb. right. exact Hy.
Qed.
