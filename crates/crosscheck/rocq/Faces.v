(** Boxes with all sides 3, whose squares are treated as faces of a cube. The squares of an independent set of
    queens are disjoint faces with different free axes. This file proves inequalities about the number of
    these faces of each dimension. *)

From NDQ Require Import Definitions Boxes Sums.

(** * Attack *)

Definition in_three (x : square) : Prop := Forall (fun c => 0 <= c < 3) x.

Lemma on_threes : forall d x, on_board (repeat 3 d) x <-> length x = d /\ in_three x.
Proof.
  unfold on_board, in_three. induction d as [| d IH]; intros [| c x]; simpl; split.
  - intros _. split; [reflexivity | constructor].
  - intros _. constructor.
  - intro H. inversion H.
  - intros [H _]. discriminate.
  - intro H. inversion H.
  - intros [H _]. discriminate.
  - intro H. inversion H as [| ? ? ? ? Hc Hx]; subst. apply IH in Hx. destruct Hx. split; [congruence | constructor; assumption].
  - intros [Hl H]. injection Hl as Hl. inversion H; subst. constructor; [assumption |]. apply IH. split; auto.
Qed.

Lemma near_meet : forall x y, in_three x -> in_three y -> near 1 x y <-> faces_meet x y.
Proof.
  intros x y Hx Hy. split.
  - intro H. revert Hx Hy. induction H as [| a b x y Hab H IH]; intros Hx Hy; inversion Hx; inversion Hy; subst.
    + exists []. split; constructor.
    + destruct IH as (v & Hv & Hw); auto. exists ((if (a =? 2) || (b =? 2) then 1 else 0) :: v).
      destruct (Z.eqb_spec a 2); destruct (Z.eqb_spec b 2); simpl; split; constructor; auto; lia.
  - intros (v & Hv & Hw). clear Hx Hy. revert y Hw. induction Hv as [| a e x v Ha Hv IH]; intros y Hw.
    + inversion Hw. constructor.
    + inversion Hw as [| b ? y' ? Hb Hw']; subst. constructor; [lia |]. apply IH. exact Hw'.
Qed.

Lemma near_parallel : forall x y, in_three x -> in_three y -> near 2 x y <-> free_axes x = free_axes y.
Proof.
  intros x y Hx Hy. split.
  - intro H. revert Hx Hy. induction H as [| a b x y Hab H IH]; intros Hx Hy; [reflexivity |].
    inversion Hx; inversion Hy; subst. simpl. f_equal; [| apply IH; assumption].
    destruct (Z.eqb_spec a 1); destruct (Z.eqb_spec b 1); auto; lia.
  - revert y Hy. induction x as [| a x IH]; intros [| b y] Hy E; try discriminate; [constructor |].
    injection E as E1 E2. inversion Hx; inversion Hy; subst. constructor; [| apply IH; assumption].
    destruct (Z.eqb_spec a 1); destruct (Z.eqb_spec b 1); try discriminate; lia.
Qed.

Lemma attack_faces : forall d x y, on_board (repeat 3 d) x -> on_board (repeat 3 d) y -> x <> y ->
  (attacks Queen x y <-> faces_meet x y \/ free_axes x = free_axes y).
Proof.
  intros d x y Hx Hy Hne. apply on_threes in Hx. apply on_threes in Hy. destruct Hx as [_ Hx]. destruct Hy as [_ Hy].
  rewrite <- near_meet, <- near_parallel, attacks_near by assumption.
  assert (forall m, near m x y -> moves Queen (differ x y) = true) as Hm.
  { intros m Hn. simpl. destruct (differ x y) eqn:E; [destruct (Hne (near_equal m x y Hn E)) | reflexivity]. }
  split.
  - intros (m & Hm1 & Hn & _). destruct (Z.eq_dec m 1) as [-> | H1]; [left; exact Hn |].
    destruct (Z.eq_dec m 2) as [-> | H2]; [right; exact Hn |]. destruct Hne.
    clear Hm. induction Hn as [| a b x y Hab Hn IH]; [reflexivity |]. inversion Hx; inversion Hy; subst.
    f_equal; [lia | apply IH; assumption].
  - intros [H | H]; [exists 1 | exists 2]; (split; [lia |]); split; auto; apply (Hm _ H).
Qed.

(** * Vertices *)

Fixpoint vertices (d : nat) : list (list Z) :=
  match d with
  | O => [[]]
  | S d' => map (cons 0) (vertices d') ++ map (cons 1) (vertices d')
  end.

(** Returns [true] if [v] is a vertex of the face [x]. *)
Definition is_end (c b : Z) : bool := (c =? 1) || (c =? 2 * b).

Fixpoint touches (x v : list Z) : bool :=
  match x, v with
  | [], [] => true
  | c :: x', b :: v' => is_end c b && touches x' v'
  | _, _ => false
  end.

Definition hits (x v : list Z) : Z := if touches x v then 1 else 0.

Lemma vertices_are : forall d v, In v (vertices d) -> length v = d /\ Forall (fun b => b = 0 \/ b = 1) v.
Proof.
  induction d as [| d IH]; intros v H; simpl in H.
  - destruct H as [<- | []]. split; [reflexivity | constructor].
  - apply in_app_or in H.
    destruct H as [H | H]; apply in_map_iff in H; destruct H as (w & <- & H); apply IH in H; destruct H as [<- H];
      (split; [reflexivity |]); constructor; auto.
Qed.

Lemma touches_vertex : forall x v, Forall (fun b => b = 0 \/ b = 1) v -> touches x v = true -> vertex_of x v.
Proof.
  induction x as [| c x IH]; intros [| b v] Hv H; try discriminate; [constructor |]. inversion Hv; subst.
  simpl in H. apply andb_prop in H. destruct H as [Hc H]. unfold is_end in Hc. apply orb_prop in Hc. rewrite !Z.eqb_eq in Hc.
  constructor; [tauto | apply IH; assumption].
Qed.

(** * Sums over vertices, with signs *)

(** Returns 1 if the number of flagged axes on which the vertex has a 1 is even, and -1 if it is odd. *)
Fixpoint sign (flags : list bool) (v : list Z) : Z :=
  match flags, v with
  | f :: flags', b :: v' => (if f then 1 - 2 * b else 1) * sign flags' v'
  | _, _ => 1
  end.

Definition factor (f : bool) (c : Z) : Z :=
  (if is_end c 0 then 1 else 0) + (if f then -1 else 1) * (if is_end c 1 then 1 else 0).

Fixpoint signed (flags : list bool) (x : list Z) : Z :=
  match flags, x with
  | f :: flags', c :: x' => factor f c * signed flags' x'
  | _, _ => 1
  end.

Lemma signed_sum : forall x flags, length flags = length x ->
  total (fun v => sign flags v * hits x v) (vertices (length x)) = signed flags x.
Proof.
  induction x as [| c x IH]; intros [| f flags] Hl; try discriminate; [reflexivity |]. injection Hl as Hl.
  simpl length. cbn [vertices signed]. rewrite total_app, !total_map, <- (IH flags Hl).
  assert (forall b, total (fun v => sign (f :: flags) (b :: v) * hits (c :: x) (b :: v)) (vertices (length x)) =
    ((if f then 1 - 2 * b else 1) * (if is_end c b then 1 else 0)) * total (fun v => sign flags v * hits x v) (vertices (length x))) as G.
  { intro b. rewrite <- total_times. apply total_ext. intros v _. unfold hits. cbn [sign touches].
    destruct (is_end c b); destruct (touches x v); cbn [andb]; lia. }
  rewrite !G. unfold factor. destruct f; lia.
Qed.

(** [dimension] is the number of free axes of a face, and [size] the number of its vertices. *)
Fixpoint trues (l : list bool) : nat :=
  match l with
  | [] => 0
  | b :: l' => if b then S (trues l') else trues l'
  end.

Definition dimension (x : square) : nat := trues (free_axes x).

Definition size (x : square) : Z := 2 ^ Z.of_nat (dimension x).

Lemma trues_le : forall l, (trues l <= length l)%nat.
Proof. induction l as [| [|] l IH]; simpl; lia. Qed.

Lemma dimension_le : forall x, (dimension x <= length x)%nat.
Proof. intro x. unfold dimension. rewrite trues_le. unfold free_axes. rewrite map_length. lia. Qed.

Lemma power_successor : forall n, 2 ^ Z.of_nat (S n) = 2 * 2 ^ Z.of_nat n.
Proof. intro n. rewrite Nat2Z.inj_succ. apply Z.pow_succ_r. lia. Qed.

Lemma power_positive : forall n, 0 < 2 ^ Z.of_nat n.
Proof. intro n. apply Z.pow_pos_nonneg; lia. Qed.

Ltac three_cases c := assert (c = 0 \/ c = 1 \/ c = 2) as [-> | [-> | ->]] by lia.

Lemma signed_none : forall x, in_three x -> signed (map (fun _ => false) x) x = size x.
Proof.
  intros x H. unfold size, dimension. induction H as [| c x Hc H IH]; [reflexivity |].
  cbn [map signed free_axes trues]. fold (free_axes x). rewrite IH.
  three_cases c.
  - change (factor false 0) with 1. change (0 =? 1) with false. cbv iota. lia.
  - change (factor false 1) with 2. change (1 =? 1) with true. cbv iota. rewrite power_successor. lia.
  - change (factor false 2) with 1. change (2 =? 1) with false. cbv iota. lia.
Qed.

Lemma signed_opposite : forall x, in_three x -> signed (map negb (free_axes x)) x <> 0.
Proof.
  intros x H. induction H as [| c x Hc H IH]; [discriminate |]. cbn [map signed free_axes]. fold (free_axes x).
  three_cases c.
  - change (factor (negb (0 =? 1)) 0) with 1. lia.
  - change (factor (negb (1 =? 1)) 1) with 2. lia.
  - change (factor (negb (2 =? 1)) 2) with (-1). lia.
Qed.

Lemma signed_within : forall x y, in_three x -> length x = length y -> signed (map negb (free_axes y)) x <> 0 ->
  Forall2 (fun a b : bool => a = true -> b = true) (free_axes x) (free_axes y).
Proof.
  induction x as [| c x IH]; intros [| e y] Hx Hl H; try discriminate; [constructor |]. injection Hl as Hl.
  inversion Hx as [| ? ? Hc Hx']; subst. cbn [map signed free_axes] in *. fold (free_axes x) in *. fold (free_axes y) in *.
  constructor; [| apply IH; [assumption | assumption |]; intro E; apply H; rewrite E; lia].
  intro Hf. apply Z.eqb_eq in Hf. subst c. destruct (Z.eqb_spec e 1); [reflexivity |]. destruct H. reflexivity.
Qed.

Lemma within_equal : forall l l', Forall2 (fun a b : bool => a = true -> b = true) l l' ->
  (trues l <= trues l')%nat /\ ((trues l' <= trues l)%nat -> l = l').
Proof.
  intros l l' H. induction H as [| a b l l' Hab H [H1 H2]]; [split; [apply le_n | reflexivity] |].
  destruct a; destruct b; simpl; try discriminate (Hab eq_refl); split; try lia; intro G; f_equal; apply H2; lia.
Qed.

Lemma signed_whole : forall flags, (0 < trues flags)%nat -> signed flags (map (fun _ => 1) flags) = 0.
Proof.
  induction flags as [| [|] flags IH]; cbn [trues map signed]; intro H; [lia | reflexivity |]. rewrite IH by exact H. lia.
Qed.

Lemma hits_whole : forall d v, In v (vertices d) -> hits (repeat 1 d) v = 1.
Proof.
  intros d v H. unfold hits. assert (touches (repeat 1 d) v = true) as ->; [| reflexivity].
  apply vertices_are in H. destruct H as [<- _]. induction v as [| b v IH]; [reflexivity |]. exact IH.
Qed.

Lemma trues_negb : forall l, (trues (map negb l) + trues l)%nat = length l.
Proof. induction l as [| [|] l IH]; simpl; lia. Qed.

(** * Disjoint faces *)

Section Independent.

Variables (d : nat) (S : list square).
Hypothesis Hind : independent Queen (repeat 3 d) S.

Lemma square_of_threes : forall x, In x S -> length x = d /\ in_three x.
Proof. intros x Hx. destruct Hind as (_ & Hon & _). rewrite Forall_forall in Hon. apply on_threes, Hon. exact Hx. Qed.

Lemma apart : forall x y, In x S -> In y S -> x <> y -> ~ faces_meet x y /\ free_axes x <> free_axes y.
Proof.
  intros x y Hx Hy Hne. destruct Hind as (_ & Hon & Hat). rewrite Forall_forall in Hon. specialize (Hat x y Hx Hy).
  rewrite (attack_faces d) in Hat by auto. tauto.
Qed.

Lemma hit_once : forall v, Forall (fun b => b = 0 \/ b = 1) v -> 0 <= total (fun x => hits x v) S <= 1.
Proof.
  intros v Hv. pose proof apart as Ha. destruct Hind as (Hnd & _ & _). clear Hind.
  induction S as [| x T IH]; [simpl; lia |].
  inversion Hnd as [| ? ? Hx Hnd']; subst. cbn [total fold_right]. fold (total (fun x => hits x v) T).
  assert (0 <= total (fun x => hits x v) T <= 1) as G.
  { apply IH; [| exact Hnd']. intros y z Hy Hz. apply Ha; right; assumption. }
  unfold hits at 1 3. destruct (touches x v) eqn:E; [| lia]. rewrite (total_ext _ _ (fun _ => 0)).
  - rewrite total_constant. lia.
  - intros y Hy. unfold hits. destruct (touches y v) eqn:E'; [| reflexivity].
    destruct (Ha x y (or_introl eq_refl) (or_intror Hy)) as [Hm _]; [intros ->; contradiction |].
    destruct Hm. exists v. split; apply touches_vertex; assumption.
Qed.

Lemma total_size : total size S = total (fun v => total (fun x => hits x v) S) (vertices d).
Proof.
  rewrite total_swap. apply total_ext. intros x Hx. destruct (square_of_threes x Hx) as [Hl H].
  rewrite <- signed_none by exact H. rewrite <- signed_sum by apply map_length. rewrite Hl. apply total_ext. intros v _.
  assert (sign (map (fun _ => false) x) v = 1) as ->; [| lia].
  clear. revert v. induction x as [| c x IH]; intros [| b v]; cbn [map sign]; try reflexivity. rewrite IH. reflexivity.
Qed.

Lemma length_vertices : Z.of_nat (length (vertices d)) = 2 ^ Z.of_nat d.
Proof.
  clear. induction d as [| n IH]; [reflexivity |]. cbn [vertices]. rewrite app_length, !map_length, Nat2Z.inj_add, IH,
    power_successor. lia.
Qed.

Lemma total_size_most : total size S <= 2 ^ Z.of_nat d.
Proof.
  rewrite total_size, <- length_vertices, <- (Z.mul_1_r (Z.of_nat _)), <- total_constant. apply total_le.
  intros v Hv. apply hit_once. apply (vertices_are d). exact Hv.
Qed.

Lemma total_tight : forall A (f : A -> Z) l, (forall x, In x l -> f x <= 1) -> Z.of_nat (length l) <= total f l ->
  forall x, In x l -> f x = 1.
Proof.
  clear. intros A f l Hf Hl. induction l as [| a l IH]; [intros x [] |]. simpl length in Hl. cbn [total fold_right] in Hl.
  fold (total f l) in Hl.
  pose proof (Hf a (or_introl eq_refl)) as Ha.
  assert (total f l <= Z.of_nat (length l)) as Hm.
  { rewrite <- (Z.mul_1_r (Z.of_nat _)), <- total_constant. apply total_le. intros x Hx. apply Hf. right. exact Hx. }
  intros x [<- | Hx]; [lia |]. apply IH; [intros y Hy; apply Hf; right; exact Hy | lia | exact Hx].
Qed.

Lemma total_single : forall A (f : A -> Z) l a, NoDup l -> In a l -> (forall x, In x l -> x <> a -> f x = 0) -> total f l = f a.
Proof.
  clear. intros A f l a Hnd Ha Hf. apply in_split in Ha. destruct Ha as (l1 & l2 & ->). apply NoDup_remove_2 in Hnd.
  assert (forall x, In x (l1 ++ l2) -> f x = 0) as G.
  { intros x Hx. apply Hf; [apply in_app_iff in Hx; apply in_app_iff; simpl; tauto |]. intros ->. contradiction. }
  rewrite total_app. cbn [total fold_right]. fold (total f l2).
  rewrite (total_ext _ f (fun _ => 0) l1), (total_ext _ f (fun _ => 0) l2), !total_constant; [lia | |];
    intros x Hx; apply G, in_app_iff; auto.
Qed.

(** Disjoint faces with different free axes do not cover the cube, except for the cube itself. The proof sums
    the signs of all vertices, where the flagged axes are those fixed by a face of the least dimension. This
    sum is 0 over the cube and over every other face, but not over this face. *)
Lemma no_partition : forall x, In x S -> (dimension x < d)%nat -> (forall y, In y S -> (dimension x <= dimension y)%nat) ->
  total size S < 2 ^ Z.of_nat d.
Proof.
  intros x Hx Hd Hmin. pose proof total_size_most as Hle. destruct (Z.eq_dec (total size S) (2 ^ Z.of_nat d)) as [E |]; [| lia].
  exfalso. destruct (square_of_threes x Hx) as [Hlx Htx].
  assert (forall v, In v (vertices d) -> total (fun x => hits x v) S = 1) as Hone.
  { apply total_tight; [intros v Hv; apply hit_once, (vertices_are d); exact Hv |]. rewrite length_vertices, <- E, total_size.
    lia. }
  set (flags := map negb (free_axes x)).
  assert (length flags = d) as Hf by (unfold flags, free_axes; rewrite !map_length; exact Hlx).
  assert (total (fun v => sign flags v * total (fun x => hits x v) S) (vertices d) = signed flags x) as H1.
  { transitivity (total (fun v => total (fun y => sign flags v * hits y v) S) (vertices d)).
    { apply total_ext. intros v _. symmetry. apply total_times. }
    rewrite total_swap. transitivity (total (signed flags) S).
    { apply total_ext. intros y Hy. destruct (square_of_threes y Hy) as [Hly _]. rewrite <- Hly. apply signed_sum. congruence. }
    apply total_single; [apply Hind | exact Hx |]. intros y Hy Hne. destruct (square_of_threes y Hy) as [Hly Hty].
    destruct (Z.eq_dec (signed flags y) 0) as [| Hs]; [assumption |]. exfalso.
    apply signed_within in Hs; [| exact Hty | congruence]. apply within_equal in Hs. destruct Hs as [_ Hs].
    destruct (apart y x Hy Hx Hne) as [_ Hp]. apply Hp, Hs. apply Hmin. exact Hy. }
  assert (total (fun v => sign flags v * total (fun x => hits x v) S) (vertices d) = 0) as H2.
  { transitivity (total (fun v => sign flags v * hits (repeat 1 d) v) (vertices d)).
    { apply total_ext. intros v Hv. rewrite Hone, hits_whole by exact Hv. reflexivity. }
    assert (repeat 1 d = map (fun _ => 1) flags) as ->.
    { rewrite <- Hf. clear. induction flags as [| f l IH]; [reflexivity |]. simpl. rewrite IH. reflexivity. }
    pose proof (signed_sum (map (fun _ => 1) flags) flags) as G. rewrite map_length, Hf in G. rewrite G by reflexivity.
    apply signed_whole. unfold flags. pose proof (trues_negb (free_axes x)) as N. unfold free_axes at 3 in N.
    rewrite map_length in N. unfold dimension in Hd. lia. }
  apply (signed_opposite x Htx). fold flags. congruence.
Qed.

Lemma least_dimension : S <> [] -> exists x, In x S /\ forall y, In y S -> (dimension x <= dimension y)%nat.
Proof.
  clear Hind. induction S as [| x T IH]; [congruence |]. intros _. destruct T as [| y T'].
  - exists x. split; [left; reflexivity |]. intros y [<- | []]. lia.
  - destruct IH as (z & Hz & Hm); [discriminate |]. destruct (le_lt_dec (dimension x) (dimension z)).
    + exists x. split; [left; reflexivity |]. intros w [<- | Hw]; [lia |]. specialize (Hm w Hw). lia.
    + exists z. split; [right; exact Hz |]. intros w [<- | Hw]; [lia | apply Hm; exact Hw].
Qed.

Lemma volume_faces : forall k, (k <= d)%nat -> (forall x, In x S -> (k <= dimension x < d)%nat) ->
  total size S <= 2 ^ Z.of_nat d - 2 ^ Z.of_nat k.
Proof.
  intros k Hk Hd.
  assert (total size S < 2 ^ Z.of_nat d) as Hlt.
  { destruct S as [| x T] eqn:E; [apply power_positive |]. rewrite <- E in *.
    destruct least_dimension as (y & Hy & Hm); [congruence |]. apply (no_partition y); auto. apply Hd. exact Hy. }
  assert (exists q, total size S = q * 2 ^ Z.of_nat k) as (q & Eq).
  { clear -Hd. induction S as [| x T IH]; [exists 0; reflexivity |].
    destruct IH as (q & Hq); [intros y Hy; apply Hd; right; exact Hy |].
    exists (q + 2 ^ (Z.of_nat (dimension x) - Z.of_nat k)). cbn [total fold_right]. fold (total size T). rewrite Hq. unfold size.
    assert (2 ^ Z.of_nat (dimension x) = 2 ^ (Z.of_nat (dimension x) - Z.of_nat k) * 2 ^ Z.of_nat k) as ->; [| ring].
    destruct (Hd x (or_introl eq_refl)). rewrite <- Z.pow_add_r by lia. f_equal. lia. }
  assert (2 ^ Z.of_nat d = 2 ^ (Z.of_nat d - Z.of_nat k) * 2 ^ Z.of_nat k) as Ed by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
  rewrite Eq in Hlt |- *. rewrite Ed in Hlt |- *. pose proof (power_positive k) as Hp. apply Z.mul_lt_mono_pos_r in Hlt;
    [| exact Hp].
  revert Hlt Hp. generalize (2 ^ (Z.of_nat d - Z.of_nat k)) (2 ^ Z.of_nat k). intros Q P Hlt Hp. nia.
Qed.

(** The whole cube meets every face. *)
Lemma whole_alone : forall x, In x S -> dimension x = d -> S = [x].
Proof.
  intros x Hx Hd. destruct (square_of_threes x Hx) as [Hl Ht].
  assert (forall y, In y S -> y = x) as Hall.
  { intros y Hy. destruct (list_eq_dec Z.eq_dec x y) as [-> | Hne]; [reflexivity |]. exfalso.
    destruct (square_of_threes y Hy) as [Hly Hty]. destruct (apart x y Hx Hy Hne) as [Hm _]. apply Hm.
    apply near_meet; [exact Ht | exact Hty |]. rewrite <- Hl in Hd, Hly. clear -Hd Hly Hty. revert y Hly Hty.
    unfold dimension in Hd.
    induction x as [| c x IH]; intros [| e y] Hly Hty; try discriminate; [constructor |].
    cbn [free_axes map trues length] in Hd. inversion Hty; subst. injection Hly as Hly.
    pose proof (dimension_le x) as Hle. unfold dimension, free_axes in Hle.
    destruct (Z.eqb_spec c 1) as [-> |]; [| exfalso; unfold free_axes in *; lia]. constructor; [lia |].
    apply IH; [unfold free_axes in *; lia | exact Hly | assumption]. }
  destruct Hind as (Hnd & _ & _). clear -Hall Hnd Hx. destruct S as [| y [| z T]]; [destruct Hx | |].
  - rewrite (Hall y (or_introl eq_refl)). reflexivity.
  - inversion Hnd as [| ? ? Hy _]; subst. destruct Hy. left.
    rewrite (Hall y (or_introl eq_refl)), (Hall z (or_intror (or_introl eq_refl))). reflexivity.
Qed.

End Independent.

Lemma independent_part : forall p sides S (t : square -> bool), independent p sides S -> independent p sides (filter t S).
Proof.
  intros p sides S t (Hnd & Hon & Hat). split; [apply NoDup_filter; exact Hnd |]. split.
  - rewrite Forall_forall in *. intros x Hx. apply filter_In in Hx. apply Hon. tauto.
  - intros x y Hx Hy. apply filter_In in Hx. apply filter_In in Hy. apply Hat; tauto.
Qed.

(** * Weights of the dimensions *)

(** States that the weights of the dimensions of an independent set of queens sum to at most [most]. *)
Definition right_weights (m : nat) (weights : list Z) (most : Z) : Prop :=
  forall S, independent Queen (repeat 3 m) S -> total (fun x => nth (dimension x) weights 0) S <= most.

(** Weight of dimension [j] in the inequality about the vertices in faces of dimension [k] or more. *)
Definition volume_weight (m k j : nat) : Z :=
  if (m <=? j)%nat then 2 ^ Z.of_nat (m - k) - 1 else if (k <=? j)%nat then 2 ^ Z.of_nat (j - k) else 0.

Definition volume_weights (m k : nat) : list Z := map (volume_weight m k) (seq 0 (S m)).

Lemma nth_volume_weights : forall m k j, (j <= m)%nat -> nth j (volume_weights m k) 0 = volume_weight m k j.
Proof.
  intros m k j H. unfold volume_weights. rewrite (nth_indep _ _ (volume_weight m k 0)) by (rewrite map_length, seq_length; lia).
  rewrite map_nth, seq_nth by lia. reflexivity.
Qed.

Lemma volume_row : forall m k, (k <= m)%nat -> right_weights m (volume_weights m k) (2 ^ Z.of_nat (m - k) - 1).
Proof.
  intros m k Hk S HS. rewrite (total_ext _ _ (fun x => volume_weight m k (dimension x))).
  2:{ intros x Hx. apply nth_volume_weights. destruct (square_of_threes m S HS x Hx) as [<- _]. apply dimension_le. }
  destruct (in_dec Nat.eq_dec m (map dimension S)) as [Hin | Hin].
  - apply in_map_iff in Hin. destruct Hin as (x & E & Hx). rewrite (whole_alone m S HS x Hx E). cbn [total fold_right].
    unfold volume_weight. rewrite E, Nat.leb_refl. lia.
  - set (T := filter (fun x => (k <=? dimension x)%nat) S).
    assert (total size T <= 2 ^ Z.of_nat m - 2 ^ Z.of_nat k) as G.
    { apply (volume_faces m T); [apply independent_part; exact HS | exact Hk |]. intros x Hx. apply filter_In in Hx.
      destruct Hx as [Hx H]. apply Nat.leb_le in H. destruct (square_of_threes m S HS x Hx) as [Hl _].
      pose proof (dimension_le x). assert (dimension x <> m); [| lia]. intro E. apply Hin. rewrite <- E. apply in_map. exact Hx. }
    assert (total size T = 2 ^ Z.of_nat k * total (fun x => volume_weight m k (dimension x)) S) as E.
    { unfold T. rewrite total_filter, <- total_times. apply total_ext. intros x Hx. unfold volume_weight.
      destruct (Nat.leb_spec m (dimension x)) as [Hm |].
      - exfalso. apply Hin. destruct (square_of_threes m S HS x Hx) as [Hl _]. pose proof (dimension_le x).
        assert (m = dimension x) as E by lia. rewrite E at 1. apply in_map. exact Hx.
      - destruct (Nat.leb_spec k (dimension x)); [| lia]. unfold size. rewrite <- Z.pow_add_r by lia. f_equal. lia. }
    rewrite E in G. replace (2 ^ Z.of_nat m) with (2 ^ Z.of_nat k * 2 ^ Z.of_nat (m - k)) in G by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
    pose proof (power_positive k). nia.
Qed.

(** * Exhaustive search *)

(** Returns all faces with the given free axes. *)
Fixpoint faces_along (free : list bool) : list square :=
  match free with
  | [] => [[]]
  | f :: free' =>
      let below := faces_along free' in if f then map (cons 1) below else map (cons 0) below ++ map (cons 2) below
  end.

Lemma in_faces_along : forall x, in_three x -> In x (faces_along (free_axes x)).
Proof.
  intros x H. induction H as [| c x Hc H IH]; [left; reflexivity |]. cbn [free_axes map faces_along]. fold (free_axes x).
  three_cases c; simpl; [apply in_or_app; left | | apply in_or_app; right]; apply in_map; exact IH.
Qed.

(** Set of vertices, split by the coordinate on the first axis, then on the next one. *)
Inductive tree := Empty | Full | Node (low high : tree).

Fixpoint covers_vertex (t : tree) (v : list Z) : bool :=
  match t, v with
  | Empty, _ => false
  | Full, _ => true
  | Node l r, b :: v' => covers_vertex (if b =? 0 then l else r) v'
  | Node _ _, [] => false
  end.

(** Adds the vertices of a face to a set. Returns [None] if one of them is in the set already. *)
Fixpoint add_face (x : square) (t : tree) : option tree :=
  match t with
  | Full => None
  | _ =>
      match x with
      | [] => Some Full
      | c :: x' =>
          let '(l, r) := match t with Node l r => (l, r) | _ => (Empty, Empty) end in
          match c with
          | 0 => match add_face x' l with Some l' => Some (Node l' r) | None => None end
          | 1 =>
              match add_face x' l with
              | Some l' => match add_face x' r with Some r' => Some (Node l' r') | None => None end
              | None => None
              end
          | _ => match add_face x' r with Some r' => Some (Node l r') | None => None end
          end
      end
  end.

Definition vertex (v : list Z) : Prop := Forall (fun b => b = 0 \/ b = 1) v.

Lemma face_has_vertex : forall x, in_three x -> exists v, vertex v /\ touches x v = true.
Proof.
  intros x H. induction H as [| c x Hc H (v & Hv & Ht)]; [exists []; split; [constructor | reflexivity] |].
  exists ((if c =? 2 then 1 else 0) :: v). split; [constructor; [destruct (c =? 2); auto | exact Hv] |].
  simpl. rewrite Ht, andb_true_r. three_cases c; reflexivity.
Qed.

Lemma add_face_none : forall x t, in_three x -> add_face x t = None ->
  exists v, vertex v /\ covers_vertex t v = true /\ touches x v = true.
Proof.
  intros x t Hx. revert t. induction Hx as [| c x Hc Hx IH]; intros t H.
  - destruct t; try discriminate. exists []. repeat split. constructor.
  - assert (exists v, vertex v /\ touches (c :: x) v = true) as (w & Hw & Htw).
    { apply face_has_vertex. constructor; assumption. }
    destruct t as [| | l r]; [| exists w; auto |].
    + assert (add_face x Empty = None) as E.
      { simpl in H. three_cases c; destruct (add_face x Empty); congruence. }
      destruct (IH Empty E) as (v & _ & Hv & _). discriminate.
    + assert ((c <> 2 /\ add_face x l = None) \/ (c <> 0 /\ add_face x r = None)) as [[Hne E] | [Hne E]].
      { simpl in H. three_cases c.
        - left. split; [lia |]. destruct (add_face x l); congruence.
        - destruct (add_face x l); [right | left]; split; try lia; [destruct (add_face x r); congruence | reflexivity].
        - right. split; [lia |]. destruct (add_face x r); congruence. }
      * destruct (IH l E) as (v & Hv & Hcv & Htv). exists (0 :: v). split; [constructor; auto |]. split; [exact Hcv |].
        simpl. rewrite Htv, andb_true_r. three_cases c; [reflexivity | reflexivity | lia].
      * destruct (IH r E) as (v & Hv & Hcv & Htv). exists (1 :: v). split; [constructor; auto |]. split; [exact Hcv |].
        simpl. rewrite Htv, andb_true_r. three_cases c; [lia | reflexivity | reflexivity].
Qed.

Lemma add_face_some : forall x t t' v, in_three x -> vertex v -> length v = length x -> add_face x t = Some t' ->
  covers_vertex t' v = true -> covers_vertex t v = true \/ touches x v = true.
Proof.
  intros x t t' v Hx. revert t t' v. induction Hx as [| c x Hc Hx IH]; intros t t' v Hv Hl H Hcv.
  - destruct v; [| discriminate]. right. reflexivity.
  - destruct v as [| b v]; [discriminate |]. injection Hl as Hl. inversion Hv as [| ? ? Hb Hv']; subst.
    assert (forall s s' : tree, add_face x s = Some s' -> covers_vertex s' v = true -> covers_vertex s v = true \/ touches x v = true) as G.
    { intros s s' Hs Hcs. apply (IH s s'); assumption. }
    assert (exists l r, (forall w, covers_vertex t (b :: w) = false -> covers_vertex (if b =? 0 then l else r) w = false) /\
      add_face (c :: x) (Node l r) = Some t') as (l & r & Hlr & H').
    { destruct t as [| | l r]; [exists Empty, Empty | discriminate | exists l, r]; split; auto.
      intros w _. destruct (b =? 0); reflexivity. }
    clear H. destruct (covers_vertex t (b :: v)) eqn:Et; [left; reflexivity |]. right. specialize (Hlr v Et).
    simpl in H'. three_cases c.
    + destruct (add_face x l) as [l' |] eqn:El; [| discriminate]. injection H' as <-. simpl in Hcv. destruct Hb as [-> | ->];
        simpl in *.
      * destruct (G l l' El Hcv); [congruence | assumption].
      * congruence.
    + destruct (add_face x l) as [l' |] eqn:El; [| discriminate]. destruct (add_face x r) as [r' |] eqn:Er; [| discriminate].
      injection H' as <-. simpl in Hcv. destruct Hb as [-> | ->]; simpl in *.
      * destruct (G l l' El Hcv); [congruence | assumption].
      * destruct (G r r' Er Hcv); [congruence | assumption].
    + destruct (add_face x r) as [r' |] eqn:Er; [| discriminate]. injection H' as <-. simpl in Hcv. destruct Hb as [-> | ->];
        simpl in *.
      * congruence.
      * destruct (G r r' Er Hcv); [congruence | assumption].
Qed.

(** Step of the search, which places at most one of the faces with the same free axes. [gain] is the weight of
    such a face, and [mass] the number of its vertices. A cut [(p, q, s)] bounds the total weight of the faces
    of this step and of all later ones: [q] times this weight is at most [p] times the number of remaining
    vertices, plus [s]. *)
Record level := { gain : Z; mass : Z; candidates : list square; cuts : list (Z * Z * Z) }.

Fixpoint cut_off (cs : list (Z * Z * Z)) (left_over most : Z) : bool :=
  match cs with
  | [] => false
  | (p, q, s) :: cs' => if p * left_over + s <? q * (most + 1) then true else cut_off cs' left_over most
  end.

(** Returns [true] only if disjoint faces of the levels, which are disjoint from the set [t], have a total
    weight of at most [most]. [left_over] is the number of vertices outside of [t]. *)
Fixpoint search (ls : list level) (t : tree) (left_over most : Z) : bool :=
  match ls with
  | [] => 0 <=? most
  | l :: ls' =>
      if cut_off (cuts l) left_over most then true
      else if search ls' t left_over most then
        (fix each (xs : list square) : bool :=
          match xs with
          | [] => true
          | x :: xs' =>
              match add_face x t with
              | Some t' => if search ls' t' (left_over - mass l) (most - gain l) then each xs' else false
              | None => each xs'
              end
          end) (candidates l)
      else false
  end.

Definition counts (weights : list Z) (free : list bool) : Z := nth (trues free) weights 0.

(** Largest sum of [q] times the weight minus [p] times the number of vertices, over faces with different free
    axes. *)
Definition slack (weights : list Z) (p q : Z) (frees : list (list bool)) : Z :=
  total (fun free => Z.max 0 (q * counts weights free - p * 2 ^ Z.of_nat (trues free))) frees.

(** Returns the cuts in which the faces of one dimension contribute nothing to the slack; the best cut is
    always one of these. *)
Definition cuts_of (weights : list Z) (frees : list (list bool)) : list (Z * Z * Z) :=
  map (fun j => let p := nth j weights 0 in let q := 2 ^ Z.of_nat j in (p, q, slack weights p q frees))
    (filter (fun j => (0 <? nth j weights 0) && existsb (fun free => Nat.eqb (trues free) j) frees) (seq 0 (length weights))).

Fixpoint levels (weights : list Z) (frees : list (list bool)) : list level :=
  match frees with
  | [] => []
  | free :: frees' =>
      {| gain := counts weights free; mass := 2 ^ Z.of_nat (trues free); candidates := faces_along free;
         cuts := cuts_of weights frees |} :: levels weights frees'
  end.

Lemma total_incl : forall A (f : A -> Z) l l', NoDup l -> incl l l' -> (forall x, 0 <= f x) -> total f l <= total f l'.
Proof.
  intros A f l l' H. revert l'. induction H as [| x l Hx H IH]; intros l' Hi Hf.
  - transitivity (total (fun _ : A => 0) l'); [rewrite total_constant; simpl; lia |]. apply total_le. auto.
  - destruct (in_split x l' (Hi x (or_introl eq_refl))) as (l1 & l2 & ->). rewrite total_app. cbn [total fold_right].
    fold (total f l). fold (total f l2).
    assert (total f l <= total f (l1 ++ l2)) as G.
    { apply IH; [| exact Hf]. intros y Hy. specialize (Hi y (or_intror Hy)). apply in_app_or in Hi. apply in_or_app.
      destruct Hi as [Hi | [-> | Hi]]; auto. contradiction. }
    rewrite total_app in G. lia.
Qed.

Lemma independent_permutation : forall p sides S S', Permutation S S' -> independent p sides S -> independent p sides S'.
Proof.
  intros p sides S S' P (Hnd & Hon & Hat). split; [apply (Permutation_NoDup P); exact Hnd |]. split.
  - apply (Permutation_Forall P). exact Hon.
  - intros x y Hx Hy. apply Hat; apply (Permutation_in _ (Permutation_sym P)); assumption.
Qed.

Lemma NoDup_free_axes : forall d S, independent Queen (repeat 3 d) S -> NoDup (map free_axes S).
Proof.
  intros d S HS. pose proof (apart d S HS) as Ha. destruct HS as (Hnd & _ & _).
  induction Hnd as [| x S Hx Hnd IH]; simpl; constructor.
  - intro H. apply in_map_iff in H. destruct H as (y & E & Hy). apply (Ha x y (or_introl eq_refl) (or_intror Hy)); [| congruence].
    intros ->. contradiction.
  - apply IH. intros y z Hy Hz. apply Ha; right; assumption.
Qed.

Lemma independent_behind : forall p sides A B, independent p sides (A ++ B) -> independent p sides B.
Proof.
  intros p sides A B (Hnd & Hon & Hat). split; [clear -Hnd; induction A; [exact Hnd | inversion Hnd; auto] |]. split.
  - apply Forall_app in Hon. tauto.
  - intros x y Hx Hy. apply Hat; apply in_or_app; auto.
Qed.

Lemma cut_right : forall weights frees d R v b, independent Queen (repeat 3 d) R -> (forall x, In x R -> In (free_axes x) frees) ->
  total size R <= v -> cut_off (cuts_of weights frees) v b = true -> total (fun x => nth (dimension x) weights 0) R <= b.
Proof.
  intros weights frees d R v b HR Hin Hv H.
  assert (exists p q, 0 <= p /\ 0 < q /\ p * v + slack weights p q frees < q * (b + 1)) as (p & q & Hp & Hq & Hc).
  { unfold cuts_of in H. induction (seq 0 (length weights)) as [| j js IH]; [discriminate |]. cbn [filter] in H.
    destruct (_ && _) eqn:E; [| apply IH; exact H]. cbn [map cut_off] in H.
    destruct (Z.ltb_spec (nth j weights 0 * v + slack weights (nth j weights 0) (2 ^ Z.of_nat j) frees) (2 ^ Z.of_nat j * (b + 1))); [| apply IH; exact H].
    apply andb_prop in E. destruct E as [E _]. apply Z.ltb_lt in E.
    exists (nth j weights 0), (2 ^ Z.of_nat j). split; [lia |]. split; [apply power_positive | assumption]. }
  set (f := fun free => Z.max 0 (q * counts weights free - p * 2 ^ Z.of_nat (trues free))).
  assert (total f (map free_axes R) <= slack weights p q frees) as Hs.
  { apply total_incl; [apply (NoDup_free_axes d); exact HR | | intro; unfold f; lia].
    intros free Hf. apply in_map_iff in Hf. destruct Hf as (x & <- & Hx). apply Hin. exact Hx. }
  rewrite total_map in Hs.
  assert (q * total (fun x => nth (dimension x) weights 0) R <= total (fun x => f (free_axes x)) R + p * total size R) as G.
  { rewrite <- !total_times, <- total_plus. apply total_le. intros x _. unfold f, counts, size, dimension. lia. }
  nia.
Qed.

Lemma search_right : forall d weights frees t v b, search (levels weights frees) t v b = true ->
  forall U R, independent Queen (repeat 3 d) (U ++ R) ->
  (forall w, vertex w -> length w = d -> covers_vertex t w = true -> exists x, In x U /\ touches x w = true) ->
  total size U + v = 2 ^ Z.of_nat d -> (forall x, In x R -> In (free_axes x) frees) ->
  total (fun x => nth (dimension x) weights 0) R <= b.
Proof.
  intros d weights. induction frees as [| free frees IH]; intros t v b H U R HS Ht Hv Hin.
  - destruct R as [| x R]; [apply Z.leb_le; exact H | destruct (Hin x (or_introl eq_refl))].
  - cbn [levels search cuts candidates mass gain] in H.
    destruct (cut_off (cuts_of weights (free :: frees)) v b) eqn:Ec.
    { apply (cut_right weights (free :: frees) d R v b); [apply (independent_behind _ _ U); exact HS | exact Hin | | exact Ec].
      pose proof (total_size_most d (U ++ R) HS) as G. rewrite total_app in G. lia. }
    clear Ec. destruct (search (levels weights frees) t v b) eqn:Es; [| discriminate].
    destruct (in_dec (list_eq_dec bool_dec) free (map free_axes R)) as [Hf | Hf].
    + apply in_map_iff in Hf. destruct Hf as (x & Ex & Hx). clear Es.
      destruct (in_split x R Hx) as (R1 & R2 & ->).
      assert (Permutation (U ++ R1 ++ x :: R2) ((x :: U) ++ R1 ++ R2)) as P.
      { rewrite <- Permutation_middle, <- app_comm_cons. symmetry. apply Permutation_cons_app. reflexivity. }
      assert (In x (U ++ R1 ++ x :: R2)) as Hx' by (apply in_or_app; right; exact Hx).
      destruct (square_of_threes d _ HS x Hx') as [Hlx Htx].
      pose proof (independent_permutation _ _ _ _ P HS) as HS'.
      assert (In x (faces_along free)) as Hc by (rewrite <- Ex; apply in_faces_along; exact Htx).
      rewrite (total_permutation _ _ _ (x :: R1 ++ R2)) by (symmetry; apply Permutation_middle).
      cbn [total fold_right]. fold (total (fun x => nth (dimension x) weights 0) (R1 ++ R2)).
      assert (exists t', add_face x t = Some t' /\
        search (levels weights frees) t' (v - 2 ^ Z.of_nat (trues free)) (b - counts weights free) = true) as (t' & Ea & Es).
      { clear -H Hc HS Hx' Ht Htx Hx HS'. induction (faces_along free) as [| y ys IHy]; [destruct Hc |].
        destruct (list_eq_dec Z.eq_dec y x) as [-> | Hne].
        - destruct (add_face x t) as [t' |] eqn:Ea.
          + exists t'. split; [reflexivity |]. destruct (search _ t' _ _); [reflexivity | discriminate].
          + exfalso. destruct (add_face_none x t Htx Ea) as (w & Hw & Hcw & Htw).
            destruct (Ht w Hw) as (z & Hz & Htz); [| exact Hcw |].
            { destruct (square_of_threes d _ HS x Hx') as [<- _]. clear -Htw. revert w Htw.
              induction x as [| c x IH]; intros [| e w] H; try discriminate; [reflexivity |]. simpl in H.
              apply andb_prop in H. destruct H as [_ H]. simpl. rewrite (IH w H). reflexivity. }
            destruct (apart d _ HS' x z (or_introl eq_refl) (or_intror (in_or_app _ _ _ (or_introl Hz)))) as [Hm _].
            * intros ->. destruct HS' as (Hnd & _ & _). inversion Hnd as [| ? ? Hn _]; subst. apply Hn, in_or_app. left. exact Hz.
            * apply Hm. exists w. split; apply touches_vertex; assumption.
        - destruct Hc as [-> | Hc]; [contradiction |]. apply IHy; [| exact Hc].
          destruct (add_face y t) as [s |]; [| exact H]. destruct (search _ s _ _); [exact H | discriminate]. }
      specialize (IH t' _ _ Es (x :: U) (R1 ++ R2) HS').
      assert (nth (dimension x) weights 0 = counts weights free) as -> by (unfold counts, dimension; rewrite Ex; reflexivity).
      assert (total (fun x => nth (dimension x) weights 0) (R1 ++ R2) <= b - counts weights free); [| lia]. apply IH.
      * intros w Hw Hlw Hcw. destruct (add_face_some x t t' w Htx Hw) as [G | G]; [congruence | exact Ea | exact Hcw | |].
        -- destruct (Ht w Hw Hlw G) as (y & Hy & Hty). exists y. split; [right; exact Hy | exact Hty].
        -- exists x. split; [left; reflexivity | exact G].
      * cbn [total fold_right]. fold (total size U). unfold size at 1, dimension. rewrite Ex. lia.
      * intros y Hy. assert (In y (x :: R1 ++ R2)) as Hy2 by (right; exact Hy).
        assert (In (free_axes y) (free :: frees)) as [E | G]; [| | exact G].
        { apply Hin. apply (Permutation_in _ (Permutation_middle R1 R2 x)). exact Hy2. }
        exfalso. destruct (apart d _ HS' x y (or_introl eq_refl)) as [_ G]; [right; apply in_or_app; right; exact Hy | |].
        { intros ->. destruct HS' as (Hnd & _ & _). inversion Hnd as [| ? ? Hn _]; subst. apply Hn, in_or_app. right. exact Hy. }
        apply G. congruence.
    + apply (IH t v b Es U R HS Ht Hv). intros x Hx. destruct (Hin x Hx) as [E | G]; [| exact G].
      destruct Hf. rewrite E. apply in_map. exact Hx.
Qed.

(** Returns the sets of free axes with a positive weight, the largest sets first. *)
Definition frees_of (m : nat) (weights : list Z) : list (list bool) :=
  flat_map (fun j => if 0 <? nth j weights 0 then filter (fun free => Nat.eqb (trues free) j) (all_flags m) else [])
    (rev (seq 0 (S m))).

Definition searched (m : nat) (weights : list Z) (most : Z) : bool :=
  search (levels weights (frees_of m weights)) Empty (2 ^ Z.of_nat m) most.

Lemma in_all_flags : forall l, In l (all_flags (length l)).
Proof.
  induction l as [| f l IH]; [left; reflexivity |]. simpl. apply in_flat_map. exists l. split; [exact IH |].
  destruct f; [left | right; left]; reflexivity.
Qed.

Lemma searched_right : forall m weights most, searched m weights most = true -> right_weights m weights most.
Proof.
  intros m weights most H S HS. set (T := filter (fun x => 0 <? nth (dimension x) weights 0) S).
  transitivity (total (fun x => nth (dimension x) weights 0) T).
  { unfold T. rewrite total_filter. apply total_le. intros x _. destruct (Z.ltb_spec 0 (nth (dimension x) weights 0)); lia. }
  pose proof (independent_part _ _ _ (fun x => 0 <? nth (dimension x) weights 0) HS) as HT. fold T in HT.
  apply (search_right m weights _ _ _ _ H [] T HT).
  - intros w _ _ G. discriminate.
  - reflexivity.
  - intros x Hx. apply filter_In in Hx. destruct Hx as [Hx Hp]. destruct (square_of_threes m S HS x Hx) as [Hl _].
    unfold frees_of. apply in_flat_map. exists (dimension x). split.
    + rewrite <- in_rev. apply in_seq. pose proof (dimension_le x). lia.
    + rewrite Hp. apply filter_In. split; [| apply Nat.eqb_refl]. rewrite <- Hl, <- (map_length (fun c => c =? 1) x).
      apply in_all_flags.
Qed.

(** * Inequalities about the number of faces of each dimension *)

(** Weights of the dimensions [0, ..., m], and the largest weighted sum of an independent set, for [m] from 2
    to 5. *)
Definition class_table : list (list Z * Z) :=
  [([0; 1; 1], 1); ([1; 0; 1], 1);
   ([0; 0; 1; 1], 1); ([1; 0; 0; 1], 1); ([0; 1; 2; 3], 3);
   ([0; 0; 0; 1; 1], 1); ([1; 0; 0; 0; 1], 1); ([0; 0; 1; 2; 3], 3); ([0; 1; 0; 1; 4], 4); ([0; 1; 1; 2; 5], 5);
   ([0; 1; 2; 4; 7], 7);
   ([0; 0; 0; 0; 1; 1], 1); ([1; 0; 0; 0; 0; 1], 1); ([0; 0; 0; 1; 2; 3], 3); ([0; 0; 1; 2; 4; 7], 7);
   ([0; 0; 2; 3; 6; 12], 12); ([0; 1; 0; 0; 1; 5], 5); ([0; 1; 0; 1; 3; 7], 7); ([0; 1; 0; 3; 5; 11], 11);
   ([0; 1; 1; 2; 5; 10], 10); ([0; 1; 1; 4; 7; 14], 14); ([0; 1; 2; 4; 8; 15], 15)].

Ltac by_search := apply searched_right; vm_cast_no_check (eq_refl true).

Lemma class_table_right : Forall (fun r => right_weights (pred (length (fst r))) (fst r) (snd r)) class_table.
Proof.
  assert (right_weights 5 [0; 0; 1; 2; 4; 7] 7) as H2 by (apply (volume_row 5 2); lia).
  assert (right_weights 5 [0; 1; 2; 4; 8; 15] 15) as H1 by (apply (volume_row 5 1); lia).
  unfold class_table. repeat (constructor; [first [exact H1 | exact H2 | by_search] |]). constructor.
Qed.

(** Returns [true] if the lists have the same length and [0 <= a_j <= b_j] for each [j]. *)
Fixpoint no_larger (a b : list Z) : bool :=
  match a, b with
  | [], [] => true
  | x :: a', y :: b' => (0 <=? x) && (x <=? y) && no_larger a' b'
  | _, _ => false
  end.

(** Returns [true] if a row of the table implies the inequality. *)
Definition in_class_table (m : nat) (weights : list Z) (most : Z) : bool :=
  Nat.eqb (length weights) (S m) && existsb (fun r => no_larger weights (fst r) && (snd r <=? most)) class_table.

Lemma no_larger_right : forall a b, no_larger a b = true ->
  length a = length b /\ forall j, 0 <= nth j a 0 <= nth j b 0.
Proof.
  induction a as [| x a IH]; intros [| y b] H; try discriminate.
  - split; [reflexivity |]. intros [| j]; simpl; lia.
  - simpl in H. apply andb_prop in H. destruct H as [H Hab]. apply andb_prop in H. rewrite !Z.leb_le in H.
    destruct (IH b Hab) as [Hl Hj]. split; [simpl; congruence |]. intros [| j]; simpl; [lia | apply Hj].
Qed.

Lemma in_class_table_right : forall m weights most, in_class_table m weights most = true ->
  (forall j, 0 <= nth j weights 0) /\ right_weights m weights most.
Proof.
  intros m weights most H. unfold in_class_table in H. apply andb_prop in H. destruct H as [Hm H]. apply Nat.eqb_eq in Hm.
  apply existsb_exists in H. destruct H as ([w b] & Hin & H). apply andb_prop in H. destruct H as [Hw Hb]. apply Z.leb_le in Hb.
  apply no_larger_right in Hw. destruct Hw as [Hl Hj]. split; [intro j; apply Hj |]. intros S HS.
  pose proof class_table_right as G. rewrite Forall_forall in G. specialize (G (w, b) Hin). cbn [fst snd] in *.
  rewrite <- Hl, Hm in G. specialize (G S HS). transitivity (total (fun x => nth (dimension x) w 0) S); [| lia].
  apply total_le. intros x _. apply Hj.
Qed.

Lemma volume_weights_nonnegative : forall m k j, 0 <= nth j (volume_weights m k) 0.
Proof.
  intros m k j. destruct (le_lt_dec j m).
  - rewrite nth_volume_weights by assumption. unfold volume_weight. pose proof (power_positive (m - k)).
    pose proof (power_positive (j - k)).
    destruct (m <=? j)%nat; [lia |]. destruct (k <=? j)%nat; lia.
  - rewrite nth_overflow; [lia |]. unfold volume_weights. rewrite map_length, seq_length. lia.
Qed.

(** * Bound of the number of squares *)

Lemma fill_range : forall faces j rest, Forall (fun n => 0 <= n) faces -> 0 <= rest ->
  0 <= fill j faces rest <= rest / 2 ^ Z.of_nat j.
Proof.
  induction faces as [| n faces IH]; intros j rest Hf Hr; cbn [fill]; pose proof (power_positive j) as Hp.
  - split; [lia | apply Z.div_pos; lia].
  - inversion Hf; subst. set (p := 2 ^ Z.of_nat j) in *. set (k := Z.min n (rest / p)).
    assert (0 <= rest / p) as H0 by (apply Z.div_pos; lia). pose proof (Z.mul_div_le rest p Hp) as Hm.
    assert (0 <= k <= rest / p) as Hk by lia. assert (p * k <= rest) as Hpk by nia.
    destruct (IH (S j) (rest - p * k)) as [G1 G2]; [assumption | lia |]. split; [lia |]. rewrite power_successor in G2.
    fold p in G2.
    assert ((rest - p * k) / (2 * p) <= (rest - p * k) / p) as G3.
    { apply Z.div_le_lower_bound; [lia |]. pose proof (Z.mul_div_le (rest - p * k) (2 * p)).
      assert (0 <= (rest - p * k) / (2 * p)) by (apply Z.div_pos; lia). nia. }
    replace (rest - p * k) with (rest + (- k) * p) in G3 at 2 by lia. rewrite Z.div_add in G3 by lia. lia.
Qed.

Lemma fill_more : forall faces j rest more e, Forall (fun n => 0 <= n) faces -> 0 <= rest -> 0 <= more <= 2 ^ Z.of_nat j * e ->
  fill j faces (rest + more) <= fill j faces rest + e.
Proof.
  induction faces as [| n faces IH]; intros j rest more e Hf Hr Hm; pose proof (power_positive j) as Hp; [cbn [fill]; nia |].
  set (p := 2 ^ Z.of_nat j) in *. assert (0 <= e) as He by nia.
  assert ((rest + more) / p <= rest / p + e) as Hd.
  { rewrite <- Z.div_add by lia. apply Z.div_le_mono; lia. }
  assert (rest / p <= (rest + more) / p) as Hd' by (apply Z.div_le_mono; lia).
  destruct (Z.le_gt_cases n (rest / p)) as [Hn | Hn].
  - cbn [fill]. fold p. rewrite !Z.min_l by lia. inversion Hf; subst.
    replace (rest + more - p * n) with (rest - p * n + more) by lia. pose proof (Z.mul_div_le rest p Hp).
    assert (fill (S j) faces (rest - p * n + more) <= fill (S j) faces (rest - p * n) + e); [| lia].
    apply IH; [assumption | nia |]. rewrite power_successor. fold p. nia.
  - assert (rest / p <= fill j (n :: faces) rest) as H1.
    { cbn [fill]. fold p. rewrite Z.min_r by lia. inversion Hf; subst. pose proof (Z.mul_div_le rest p Hp).
      destruct (fill_range faces (S j) (rest - p * (rest / p))); [assumption | lia | lia]. }
    destruct (fill_range (n :: faces) j (rest + more)) as [_ H2]; [exact Hf | lia |]. fold p in H2. lia.
Qed.

Lemma fill_most : forall (counted available : nat -> Z) n j rest, (forall i, 0 <= counted i <= available i) ->
  total (fun i => 2 ^ Z.of_nat i * counted i) (seq j n) <= rest ->
  total counted (seq j n) <= fill j (map available (seq j n)) rest.
Proof.
  intros counted available. induction n as [| n IH]; intros j rest Hc Hr; [simpl; lia |]. cbn [seq map total fold_right fill] in *.
  fold (total (fun i => 2 ^ Z.of_nat i * counted i) (seq (S j) n)) in Hr. fold (total counted (seq (S j) n)).
  pose proof (power_positive j) as Hp. set (p := 2 ^ Z.of_nat j) in *. set (k := Z.min (available j) (rest / p)).
  assert (0 <= total (fun i => 2 ^ Z.of_nat i * counted i) (seq (S j) n)) as H0.
  { transitivity (total (fun _ : nat => 0) (seq (S j) n)); [rewrite total_constant; lia |]. apply total_le.
    intros i _. specialize (Hc i). pose proof (power_positive i). nia. }
  assert (Forall (fun n => 0 <= n) (map available (seq (S j) n))) as Ha.
  { apply Forall_forall. intros a H. apply in_map_iff in H. destruct H as (i & <- & _). specialize (Hc i). lia. }
  specialize (IH (S j) (rest - p * counted j) Hc). specialize (Hc j).
  assert (counted j <= k) as Hk. { apply Z.min_glb; [lia |]. apply Z.div_le_lower_bound; lia. }
  assert (p * k <= rest) as Hpk by (pose proof (Z.mul_div_le rest p Hp); assert (k <= rest / p) by lia; nia).
  assert (fill (S j) (map available (seq (S j) n)) (rest - p * k + p * (k - counted j)) <=
    fill (S j) (map available (seq (S j) n)) (rest - p * k) + (k - counted j)) as G.
  { apply fill_more; [exact Ha | lia |]. rewrite power_successor. fold p. nia. }
  replace (rest - p * k + p * (k - counted j)) with (rest - p * counted j) in G by lia. lia.
Qed.

Lemma count_frees : forall d j, total (fun free => if Nat.eqb (trues free) j then 1 else 0) (all_flags d) = choose d j.
Proof.
  induction d as [| d IH]; intro j; [destruct j; reflexivity |]. cbn [all_flags]. rewrite total_flat_map.
  rewrite (total_ext _ _ (fun free => (if Nat.eqb (S (trues free)) j then 1 else 0) + (if Nat.eqb (trues free) j then 1 else 0))).
  2:{ intros free _. cbn [total fold_right trues]. lia. }
  rewrite total_plus, IH. destruct j as [| j]; cbn [choose].
  - rewrite (total_ext _ _ (fun _ => 0)) by reflexivity. rewrite total_constant. destruct d; simpl; lia.
  - rewrite <- (IH j). f_equal.
Qed.

Lemma at_most_faces : forall d, at_most Queen (repeat 3 d) (faces_bound d).
Proof.
  intros d S HS. set (counted := fun j => total (fun x => if Nat.eqb (dimension x) j then 1 else 0) S).
  assert (forall f x, In x S -> total (fun j => f j * (if Nat.eqb (dimension x) j then 1 else 0)) (seq 0 (Datatypes.S d)) = f (dimension x)) as Hone.
  { intros f x Hx. rewrite (total_single _ (fun j => f j * (if Nat.eqb (dimension x) j then 1 else 0)) _ (dimension x)).
    - rewrite Nat.eqb_refl. lia.
    - apply seq_NoDup.
    - destruct (square_of_threes d S HS x Hx) as [Hl _]. pose proof (dimension_le x). apply in_seq. lia.
    - intros j _ Hj. destruct (Nat.eqb_spec (dimension x) j); [congruence | lia]. }
  assert (forall f, total (fun j => f j * counted j) (seq 0 (Datatypes.S d)) = total (fun x => f (dimension x)) S) as Hsum.
  { intro f. unfold counted. rewrite (total_ext _ _ (fun j => total (fun x => f j * (if Nat.eqb (dimension x) j then 1 else 0)) S)).
    - rewrite total_swap. apply total_ext. intros x Hx. apply Hone. exact Hx.
    - intros j _. symmetry. apply total_times. }
  transitivity (total counted (seq 0 (Datatypes.S d))).
  - rewrite <- (Z.mul_1_r (Z.of_nat _)), <- total_constant, <- (Hsum (fun _ => 1)). apply Z.eq_le_incl, total_ext. intros j _. lia.
  - apply fill_most; [| rewrite (Hsum (fun j => 2 ^ Z.of_nat j)); apply (total_size_most d S HS)]. intro j. split.
    + unfold counted. transitivity (total (fun _ : square => 0) S); [rewrite total_constant; lia |]. apply total_le.
      intros x _. destruct (Nat.eqb _ _); lia.
    + rewrite <- count_frees. unfold counted, dimension.
      rewrite <- (total_map _ _ free_axes (fun free => if Nat.eqb (trues free) j then 1 else 0)).
      apply total_incl; [apply (NoDup_free_axes d); exact HS | | intro free; destruct (Nat.eqb _ _); lia].
      intros free Hf. apply in_map_iff in Hf. destruct Hf as (x & <- & Hx). destruct (square_of_threes d S HS x Hx) as [Hl _].
      rewrite <- Hl, <- (map_length (fun c => c =? 1) x). apply in_all_flags.
Qed.
