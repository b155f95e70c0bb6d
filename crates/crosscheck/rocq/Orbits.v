(** Averages over the symmetries of a box. The symmetries permute axes of the same length and reflect axes. If
    a sum of valid inequalities counts the squares of every orbit at least once on average, its right-hand
    side is a bound. *)

From NDQ Require Import Definitions Boxes Sums Text Proofs.
From Coq Require Import Mergesort Orders.

(** * Permutations of the axes *)

Fixpoint insert_at {A} (i : nat) (a : A) (l : list A) : list A :=
  match i, l with
  | S i', b :: l' => b :: insert_at i' a l'
  | _, _ => a :: l
  end.

(** Permutes a list. The code contains for each entry the number of later entries that precede it in the
    result. *)
Fixpoint arrange {A} (code : list nat) (l : list A) : list A :=
  match code, l with
  | i :: code', a :: l' => insert_at i a (arrange code' l')
  | _, _ => l
  end.

Fixpoint codes (d : nat) : list (list nat) :=
  match d with
  | O => [[]]
  | S d' => flat_map (fun code => map (fun i => i :: code) (seq 0 (S d'))) (codes d')
  end.

Lemma insert_at_map : forall A B (f : A -> B) i a l, insert_at i (f a) (map f l) = map f (insert_at i a l).
Proof. intros A B f i a. induction i as [| i IH]; intros [| b l]; simpl; try reflexivity. rewrite IH. reflexivity. Qed.

Lemma arrange_map : forall A B (f : A -> B) code l, arrange code (map f l) = map f (arrange code l).
Proof.
  intros A B f code. induction code as [| i code IH]; intros [| a l]; simpl; try reflexivity.
  rewrite IH, insert_at_map. reflexivity.
Qed.

Lemma insert_at_permutation : forall A i (a : A) l, Permutation (a :: l) (insert_at i a l).
Proof.
  intros A i a. induction i as [| i IH]; intros [| b l]; simpl; try reflexivity.
  rewrite perm_swap. constructor. apply IH.
Qed.

Lemma arrange_permutation : forall A code (l : list A), Permutation l (arrange code l).
Proof.
  intros A code. induction code as [| i code IH]; intros [| a l]; simpl; try reflexivity.
  rewrite <- insert_at_permutation. constructor. apply IH.
Qed.

Lemma length_arrange : forall A code (l : list A), length (arrange code l) = length l.
Proof. intros A code l. symmetry. apply Permutation_length, arrange_permutation. Qed.

Lemma combine_insert_at : forall A B i (a : A) (b : B) l l', length l = length l' ->
  combine (insert_at i a l) (insert_at i b l') = insert_at i (a, b) (combine l l').
Proof.
  intros A B i a b. induction i as [| i IH]; intros [| c l] [| d l'] H; try discriminate; simpl; try reflexivity.
  rewrite IH; [reflexivity |]. simpl in H. congruence.
Qed.

Lemma combine_arrange : forall A B code (l : list A) (l' : list B), length l = length l' ->
  combine (arrange code l) (arrange code l') = arrange code (combine l l').
Proof.
  intros A B code. induction code as [| i code IH]; intros [| a l] [| b l'] H; try discriminate; simpl; try reflexivity.
  injection H as H. rewrite combine_insert_at by (rewrite !length_arrange; exact H). rewrite IH by exact H. reflexivity.
Qed.

Lemma total_seq : forall f n, total f (seq 0 (S n)) = f 0%nat + total (fun i => f (S i)) (seq 0 n).
Proof. intros f n. simpl. rewrite <- seq_shift, total_map. reflexivity. Qed.

Lemma total_codes : forall F d,
  total F (codes (S d)) = total (fun code => total (fun i => F (i :: code)) (seq 0 (S d))) (codes d).
Proof.
  intros F d. cbn [codes]. rewrite total_flat_map. apply total_ext. intros code _. exact (total_map _ _ (fun i => i :: code) F _).
Qed.

(** The order in which two entries are inserted is irrelevant. *)
Lemma insertions_swap : forall A (a b : A) m H,
  total (fun j => total (fun i => H (insert_at i a (insert_at j b m))) (seq 0 (S (S (length m))))) (seq 0 (S (length m))) =
  total (fun j => total (fun i => H (insert_at i b (insert_at j a m))) (seq 0 (S (S (length m))))) (seq 0 (S (length m))).
Proof.
  intros A a b m. induction m as [| e m IH]; intro H.
  - unfold total. simpl. lia.
  - assert (forall a b,
      total (fun j => total (fun i => H (insert_at i a (insert_at j b (e :: m)))) (seq 0 (S (S (length (e :: m))))))
        (seq 0 (S (length (e :: m)))) =
      H (a :: b :: e :: m) + H (b :: a :: e :: m) + total (fun i => H (b :: e :: insert_at i a m)) (seq 0 (S (length m))) +
      total (fun j => H (a :: e :: insert_at j b m)) (seq 0 (S (length m))) +
      total (fun j => total (fun i => H (e :: insert_at i a (insert_at j b m))) (seq 0 (S (S (length m)))))
        (seq 0 (S (length m)))) as G.
    { clear. intros a b. simpl length. rewrite (total_seq _ (S (length m))).
      match goal with |- ?first + ?others = _ =>
        assert (first = H (a :: b :: e :: m) + H (b :: a :: e :: m) +
                        total (fun i => H (b :: e :: insert_at i a m)) (seq 0 (S (length m)))) as ->;
        [| assert (others = total (fun j => H (a :: e :: insert_at j b m) +
             total (fun i => H (e :: insert_at i a (insert_at j b m))) (seq 0 (S (S (length m))))) (seq 0 (S (length m)))) as ->]
      end.
      - cbn [insert_at]. rewrite (total_seq _ (S (S (length m)))). cbn [insert_at].
        rewrite (total_seq _ (S (length m))). cbn [insert_at]. lia.
      - apply total_ext. intros j _. cbn [insert_at]. rewrite (total_seq _ (S (S (length m)))). reflexivity.
      - rewrite total_plus. lia. }
    rewrite !G. pose proof (IH (fun l => H (e :: l))) as E. cbv beta in E. rewrite E. lia.
Qed.

(** The permutations of a list do not depend on the order of its entries. *)
Lemma arranged : forall A (l l' : list A), Permutation l l' -> forall H,
  total (fun code => H (arrange code l)) (codes (length l)) = total (fun code => H (arrange code l')) (codes (length l')).
Proof.
  intros A l l' P. induction P as [| a l l' P IH | a b l | l1 l2 l3 P1 IH1 P2 IH2]; intro H.
  - reflexivity.
  - simpl length. rewrite !total_codes. cbn [arrange]. rewrite (Permutation_length P) in *.
    apply (IH (fun m => total (fun i => H (insert_at i a m)) (seq 0 (S (length l'))))).
  - simpl length. rewrite !total_codes. cbn [arrange]. apply total_ext. intros code _.
    rewrite <- (length_arrange _ code l). apply insertions_swap.
  - rewrite IH1. apply IH2.
Qed.

Lemma identity_code : forall A (l : list A), arrange (repeat 0%nat (length l)) l = l.
Proof. intros A l. induction l as [| a l IH]; simpl; [reflexivity |]. rewrite IH. destruct l; reflexivity. Qed.

Lemma in_codes : forall d, In (repeat 0%nat d) (codes d).
Proof.
  induction d as [| d IH]; [left; reflexivity |]. apply in_flat_map. exists (repeat 0%nat d). split; [exact IH |]. left. reflexivity.
Qed.

(** * Reflections *)

Fixpoint mirror (flags : list bool) (sides : list Z) (x : square) : square :=
  match flags, sides, x with
  | f :: fs, n :: s, c :: x' => (if f then n - 1 - c else c) :: mirror fs s x'
  | _, _, _ => x
  end.

Lemma all_flags_some : forall d, all_flags d <> [].
Proof. induction d as [| d IH]; simpl; [discriminate |]. destruct (all_flags d); [contradiction | discriminate]. Qed.

Definition fold_coordinate (n c : Z) : Z := if c <=? n - 1 - c then c else n - 1 - c.

Definition folded (sides : list Z) (x : square) : square := map (fun '(n, c) => fold_coordinate n c) (combine sides x).

Lemma length_folded : forall sides x, length x = length sides -> length (folded sides x) = length sides.
Proof. intros sides x H. unfold folded. rewrite map_length, combine_length. lia. Qed.

Lemma mirror_folded : forall sides x H, length x = length sides ->
  total (fun fs => H (mirror fs sides x)) (all_flags (length sides)) =
  total (fun fs => H (mirror fs sides (folded sides x))) (all_flags (length sides)).
Proof.
  induction sides as [| n s IH]; intros [| c x] H Hl; try discriminate; [reflexivity |].
  injection Hl as Hl. simpl length.
  assert (forall c' y, total (fun fs => H (mirror fs (n :: s) (c' :: y))) (all_flags (S (length s))) =
          total (fun fs => (fun z => H ((n - 1 - c') :: z) + H (c' :: z)) (mirror fs s y)) (all_flags (length s))) as G.
  { intros c' y. cbn [all_flags]. rewrite total_flat_map. apply total_ext. intros fs _. simpl. lia. }
  change (folded (n :: s) (c :: x)) with (fold_coordinate n c :: folded s x).
  rewrite (G c x), (G (fold_coordinate n c) (folded s x)).
  transitivity (total (fun fs => (fun z => H ((n - 1 - c) :: z) + H (c :: z)) (mirror fs s (folded s x))) (all_flags (length s)));
    [exact (IH x (fun z => H ((n - 1 - c) :: z) + H (c :: z)) Hl) |].
  apply total_ext. intros fs _. unfold fold_coordinate. destruct (c <=? n - 1 - c); [reflexivity |].
  replace (n - 1 - (n - 1 - c)) with c by lia. lia.
Qed.

(** * The symmetries *)

Definition keeps (sides : list Z) (code : list nat) : bool :=
  if list_eq_dec Z.eq_dec (arrange code sides) sides then true else false.

Definition symmetries (sides : list Z) : list (square -> square) :=
  flat_map (fun code => map (fun fs x => mirror fs sides (arrange code x)) (all_flags (length sides)))
    (filter (keeps sides) (codes (length sides))).

Lemma in_symmetries : forall sides g, In g (symmetries sides) ->
  exists code fs, arrange code sides = sides /\ g = fun x => mirror fs sides (arrange code x).
Proof.
  intros sides g H. unfold symmetries in H. apply in_flat_map in H. destruct H as (code & Hc & H).
  apply filter_In in Hc. destruct Hc as [_ Hc]. apply in_map_iff in H. destruct H as (fs & <- & _).
  exists code, fs. split; [| reflexivity]. unfold keeps in Hc. destruct (list_eq_dec _ _ _); [assumption | discriminate].
Qed.

Lemma symmetries_some : forall sides, 0 < Z.of_nat (length (symmetries sides)).
Proof.
  intro sides. assert (symmetries sides <> []) as H.
  { destruct (all_flags (length sides)) as [| fs rest] eqn:E; [destruct (all_flags_some _ E) |].
    intro H. assert (In (fun x => mirror fs sides (arrange (repeat 0%nat (length sides)) x)) (symmetries sides)) as G.
    { apply in_flat_map. exists (repeat 0%nat (length sides)). split.
      - apply filter_In. split; [apply in_codes |]. unfold keeps. rewrite identity_code.
        destruct (list_eq_dec _ _ _); [reflexivity | contradiction].
      - rewrite E. left. reflexivity. }
    rewrite H in G. destruct G. }
  destruct (symmetries sides); [contradiction |]. simpl length. lia.
Qed.

Lemma total_symmetries : forall sides f x,
  total (fun g => f (g x)) (symmetries sides) =
  total (fun code => if keeps sides code
                     then total (fun fs => f (mirror fs sides (arrange code x))) (all_flags (length sides)) else 0)
    (codes (length sides)).
Proof.
  intros sides f x. unfold symmetries. rewrite total_flat_map, total_filter. apply total_ext.
  intros code _. destruct (keeps sides code); [| reflexivity]. apply total_map.
Qed.

Lemma map_fst_combine : forall A B (l : list A) (l' : list B), length l = length l' -> map fst (combine l l') = l.
Proof.
  intros A B l. induction l as [| a l IH]; intros [| b l'] H; try discriminate; [reflexivity |]. simpl.
  injection H as H. rewrite IH by exact H. reflexivity.
Qed.

Lemma map_snd_combine : forall A B (l : list A) (l' : list B), length l = length l' -> map snd (combine l l') = l'.
Proof.
  intros A B l. induction l as [| a l IH]; intros [| b l'] H; try discriminate; [reflexivity |]. simpl.
  injection H as H. rewrite IH by exact H. reflexivity.
Qed.

Lemma total_symmetries_folded : forall sides f x, length x = length sides ->
  total (fun g => f (g x)) (symmetries sides) =
  total (fun code => (fun l => if list_eq_dec Z.eq_dec (map fst l) sides
                               then total (fun fs => f (mirror fs sides (map snd l))) (all_flags (length sides)) else 0)
                       (arrange code (combine sides (folded sides x))))
    (codes (length (combine sides (folded sides x)))).
Proof.
  intros sides f x Hl. rewrite total_symmetries, combine_length, length_folded, Nat.min_id by exact Hl.
  pose proof (length_folded sides x Hl) as Hf.
  apply total_ext. intros code _. rewrite <- !arrange_map, map_fst_combine, map_snd_combine by congruence.
  unfold keeps. destruct (list_eq_dec Z.eq_dec (arrange code sides) sides) as [E |]; [| reflexivity].
  rewrite mirror_folded by (rewrite length_arrange; exact Hl). apply total_ext. intros fs _. do 2 f_equal.
  unfold folded. rewrite arrange_map, <- combine_arrange by congruence. rewrite E. reflexivity.
Qed.

(** * Orbits *)

(** Encodes each side and coordinate as one number, which is the same for both directions of the axis. *)
Definition coded (sides : list Z) (x : square) : list Z := map (fun '(n, c) => n * n + fold_coordinate n c) (combine sides x).

(** Squares are in one orbit if and only if they have the same key. *)
Definition key (sides : list Z) (x : square) : list Z := sorted_sides (coded sides x).

Definition decoded (l : list Z) : list (Z * Z) := map (fun q => (Z.sqrt q, q - Z.sqrt q * Z.sqrt q)) l.

Lemma decoded_coded : forall sides x, on_board sides x -> decoded (coded sides x) = combine sides (folded sides x).
Proof.
  intros sides x H. induction H as [| n c s x Hc H IH]; [reflexivity |].
  unfold coded, decoded, folded in *. simpl. rewrite IH.
  assert (Z.sqrt (n * n + fold_coordinate n c) = n) as ->.
  { apply Z.sqrt_unique. unfold fold_coordinate. destruct (Z.leb_spec c (n - 1 - c)); nia. }
  f_equal. f_equal. lia.
Qed.

Lemma insert_insert : forall a b l, insert a (insert b l) = insert b (insert a l).
Proof.
  intros a b l. induction l as [| m l IH]; simpl.
  - destruct (Z.leb_spec a b); destruct (Z.leb_spec b a); try reflexivity; [| lia]. assert (a = b) as -> by lia. reflexivity.
  - destruct (Z.leb_spec b m); destruct (Z.leb_spec a m); simpl.
    + destruct (Z.leb_spec a b); destruct (Z.leb_spec b a); try lia.
      * assert (a = b) as -> by lia. reflexivity.
      * destruct (Z.leb_spec b m); [reflexivity | lia].
      * destruct (Z.leb_spec a m); [reflexivity | lia].
    + destruct (Z.leb_spec a b); [lia |]. destruct (Z.leb_spec a m); [lia |]. destruct (Z.leb_spec b m); [reflexivity | lia].
    + destruct (Z.leb_spec a m); [| lia]. destruct (Z.leb_spec b a); [lia |]. destruct (Z.leb_spec b m); [lia | reflexivity].
    + destruct (Z.leb_spec a m); [lia |]. destruct (Z.leb_spec b m); [lia |]. rewrite IH. reflexivity.
Qed.

Lemma sorted_equal : forall l l', Permutation l l' -> sorted_sides l = sorted_sides l'.
Proof.
  intros l l' H. induction H as [| a l l' H IH | a b l | l1 l2 l3 H1 IH1 H2 IH2]; simpl.
  - reflexivity.
  - rewrite IH. reflexivity.
  - apply insert_insert.
  - congruence.
Qed.

Lemma same_orbit : forall sides f x y, on_board sides x -> on_board sides y -> key sides x = key sides y ->
  total (fun g => f (g x)) (symmetries sides) = total (fun g => f (g y)) (symmetries sides).
Proof.
  intros sides f x y Hx Hy H. unfold key in H.
  rewrite !total_symmetries_folded by (apply on_board_length; assumption).
  refine (arranged _ (combine sides (folded sides x)) (combine sides (folded sides y)) _
    (fun l => if list_eq_dec Z.eq_dec (map fst l) sides
              then total (fun fs => f (mirror fs sides (map snd l))) (all_flags (length sides)) else 0)).
  rewrite <- !decoded_coded by assumption. apply Permutation_map.
  rewrite <- (sorted_permutation (coded sides x)), <- (sorted_permutation (coded sides y)), H. reflexivity.
Qed.

(** * Properties that the symmetries preserve *)

Lemma Forall2_combine : forall A B (R : A -> B -> Prop) l l',
  Forall2 R l l' <-> length l = length l' /\ Forall (fun q => R (fst q) (snd q)) (combine l l').
Proof.
  intros A B R. induction l as [| a l IH]; intros [| b l']; simpl.
  - split; [intros _; split; [reflexivity | constructor] | constructor].
  - split; [intro H; inversion H | intros [H _]; discriminate].
  - split; [intro H; inversion H | intros [H _]; discriminate].
  - split.
    + intro H. inversion H; subst. apply IH in H5. destruct H5. split; [congruence | constructor; assumption].
    + intros [Hl H]. inversion H; subst. constructor; [assumption |]. apply IH. split; [congruence | assumption].
Qed.

Lemma arrange_Forall2 : forall A B (R : A -> B -> Prop) code l l', length l = length l' ->
  Forall2 R (arrange code l) (arrange code l') <-> Forall2 R l l'.
Proof.
  intros A B R code l l' H. rewrite !Forall2_combine, !length_arrange, combine_arrange by exact H.
  pose proof (arrange_permutation _ code (combine l l')) as P.
  split; intros [H1 H2]; (split; [exact H1 |]); eapply Permutation_Forall; try exact H2; [symmetry |]; exact P.
Qed.

Lemma differ_combine : forall x y, differ x y = length (filter (fun q => negb (fst q =? snd q)) (combine x y)).
Proof.
  induction x as [| a x IH]; intros [| b y]; simpl; try reflexivity. rewrite IH. destruct (a =? b); reflexivity.
Qed.

Lemma length_filter_permutation : forall A (t : A -> bool) l l', Permutation l l' ->
  length (filter t l) = length (filter t l').
Proof.
  intros A t l l' H. induction H as [| a l l' H IH | a b l | ]; simpl; try congruence.
  - destruct (t a); simpl; congruence.
  - destruct (t a); destruct (t b); reflexivity.
Qed.

Lemma arrange_differ : forall code x y, length x = length y -> differ (arrange code x) (arrange code y) = differ x y.
Proof.
  intros code x y H. rewrite !differ_combine, combine_arrange by exact H.
  apply length_filter_permutation. symmetry. apply arrange_permutation.
Qed.

Lemma mirror_keeps : forall sides fs x y, length x = length sides -> length y = length sides ->
  (forall m, near m (mirror fs sides x) (mirror fs sides y) -> near m x y) /\
  differ (mirror fs sides x) (mirror fs sides y) = differ x y.
Proof.
  induction sides as [| n s IH]; intros [| f fs] [| c x] [| d y] Hx Hy; try discriminate; try (split; auto; fail).
  injection Hx as Hx. injection Hy as Hy. destruct (IH fs x y Hx Hy) as [Hn Hd]. simpl. split.
  - intros m H. inversion H as [| ? ? ? ? H1 H2]; subst. constructor; [| apply Hn; exact H2]. destruct f; lia.
  - rewrite Hd. destruct f; [| reflexivity]. destruct (Z.eqb_spec (n - 1 - c) (n - 1 - d)); destruct (Z.eqb_spec c d); auto; lia.
Qed.

Lemma mirror_on_board : forall sides fs x, on_board sides x -> on_board sides (mirror fs sides x).
Proof.
  intros sides fs x H. revert fs. induction H as [| n c s x Hc H IH]; intros [| f fs]; simpl; constructor; auto.
  - destruct f; lia.
  - apply IH.
Qed.

Lemma mirror_coded : forall sides fs x, coded sides (mirror fs sides x) = coded sides x.
Proof.
  unfold coded. induction sides as [| n s IH]; intros [| f fs] [| c x]; simpl; try reflexivity.
  rewrite IH. f_equal. f_equal. destruct f; [| reflexivity]. unfold fold_coordinate.
  destruct (Z.leb_spec (n - 1 - c) (n - 1 - (n - 1 - c))); destruct (Z.leb_spec c (n - 1 - c)); lia.
Qed.

Section Symmetry.

Variables (sides : list Z) (g : square -> square).
Hypothesis is_symmetry : In g (symmetries sides).

Lemma symmetry_on_board : forall x, on_board sides x -> on_board sides (g x).
Proof.
  intros x H. destruct (in_symmetries sides g is_symmetry) as (code & fs & E & ->). apply mirror_on_board.
  unfold on_board. rewrite <- E. apply arrange_Forall2; [symmetry; apply on_board_length; exact H | exact H].
Qed.

Lemma symmetry_key : forall x, on_board sides x -> key sides (g x) = key sides x.
Proof.
  intros x H. destruct (in_symmetries sides g is_symmetry) as (code & fs & E & ->). unfold key. rewrite mirror_coded.
  apply sorted_equal. unfold coded. apply Permutation_map. rewrite <- E at 1.
  rewrite combine_arrange by (symmetry; apply on_board_length; exact H). symmetry. apply arrange_permutation.
Qed.

Lemma symmetry_keeps : forall x y, on_board sides x -> on_board sides y ->
  (forall m, near m (g x) (g y) -> near m x y) /\ differ (g x) (g y) = differ x y.
Proof.
  intros x y Hx Hy. apply on_board_length in Hx. apply on_board_length in Hy.
  destruct (in_symmetries sides g is_symmetry) as (code & fs & E & ->).
  destruct (mirror_keeps sides fs (arrange code x) (arrange code y)) as [Hn Hd]; try (rewrite length_arrange; assumption).
  split.
  - intros m H. apply Hn in H. apply arrange_Forall2 in H; [exact H | congruence].
  - rewrite Hd. apply arrange_differ. congruence.
Qed.

Lemma symmetry_injective : forall x y, on_board sides x -> on_board sides y -> g x = g y -> x = y.
Proof.
  intros x y Hx Hy H. destruct (symmetry_keeps x y Hx Hy) as [Hn Hd].
  apply (near_equal 1); [apply Hn; rewrite H; apply near_self |]. rewrite <- Hd, H. apply differ_self.
Qed.

Lemma NoDup_image : forall l, (forall x, In x l -> on_board sides x) -> NoDup l -> NoDup (map g l).
Proof.
  intros l Hon H. induction H as [| x l Hx H IH]; simpl; [constructor |]. constructor.
  - intro Hin. apply in_map_iff in Hin. destruct Hin as (y & E & Hy). apply Hx.
    rewrite <- (symmetry_injective y x (Hon y (or_intror Hy)) (Hon x (or_introl eq_refl)) E). exact Hy.
  - apply IH. intros y Hy. apply Hon. right. exact Hy.
Qed.

Lemma image_independent : forall p S, independent p sides S -> independent p sides (map g S).
Proof.
  intros p S (Hnd & Hon & Hat). rewrite Forall_forall in Hon. split; [| split].
  - apply NoDup_image; assumption.
  - apply Forall_forall. intros y Hy. apply in_map_iff in Hy. destruct Hy as (x & <- & Hx).
    apply symmetry_on_board, Hon. exact Hx.
  - intros y1 y2 H1 H2 Ha. apply in_map_iff in H1. apply in_map_iff in H2.
    destruct H1 as (x1 & <- & H1). destruct H2 as (x2 & <- & H2). apply (Hat x1 x2 H1 H2).
    destruct (symmetry_keeps x1 x2 (Hon x1 H1) (Hon x2 H2)) as [Hn Hd].
    apply attacks_near in Ha. destruct Ha as (m & Hm & Hnear & Hmv). apply attacks_near.
    exists m. split; [exact Hm |]. split; [apply Hn; exact Hnear |]. rewrite <- Hd. exact Hmv.
Qed.

End Symmetry.

(** * All squares of a board *)

Lemma count_up_range : forall n from c, In c (count_up n from) -> from <= c < from + Z.of_nat n.
Proof.
  induction n as [| n IH]; intros from c; simpl; [intros [] |]. intros [<- | H]; [lia |]. apply IH in H. lia.
Qed.

Lemma NoDup_count_up : forall n from, NoDup (count_up n from).
Proof.
  induction n as [| n IH]; intro from; simpl; constructor; auto. intro H. apply count_up_range in H. lia.
Qed.


Lemma NoDup_append : forall A (l l' : list A), NoDup l -> NoDup l' -> (forall x, In x l -> ~ In x l') -> NoDup (l ++ l').
Proof.
  intros A l l' H H' Hd. induction H as [| x l Hx H IH]; simpl; [exact H' |]. constructor.
  - intro Hin. apply in_app_or in Hin. destruct Hin as [Hin | Hin]; [contradiction |]. apply (Hd x (or_introl eq_refl) Hin).
  - apply IH. intros y Hy. apply Hd. right. exact Hy.
Qed.

Lemma NoDup_choices : forall A (l : list A) (below : list (list A)), NoDup l -> NoDup below ->
  NoDup (flat_map (fun c => map (cons c) below) l).
Proof.
  intros A l below Hl Hb. induction Hl as [| c l Hc Hl IH]; simpl; [constructor |].
  apply NoDup_append; [| exact IH |].
  - clear -Hb. induction Hb as [| x b Hx Hb IH]; simpl; constructor; auto.
    intro H. apply in_map_iff in H. destruct H as (y & [= ->] & H). contradiction.
  - intros x Hx H. apply in_map_iff in Hx. destruct Hx as (y & <- & _).
    apply in_flat_map in H. destruct H as (e & He & H). apply in_map_iff in H. destruct H as (z & [= <- _] & _). contradiction.
Qed.

Lemma NoDup_squares_of : forall sides, NoDup (squares_of sides).
Proof.
  induction sides as [| n s IH]; simpl; [repeat constructor; intros [] |].
  apply NoDup_choices; [apply NoDup_count_up | exact IH].
Qed.

Lemma squares_of_on_board : forall sides x, In x (squares_of sides) -> on_board sides x.
Proof.
  induction sides as [| n s IH]; intros x H; simpl in H.
  - destruct H as [<- | []]. constructor.
  - apply in_flat_map in H. destruct H as (c & Hc & H). apply in_map_iff in H. destruct H as (y & <- & Hy).
    constructor; [| apply IH; exact Hy]. apply count_up_range in Hc. lia.
Qed.

Definition is (a b : list Z) : Z := if same a b then 1 else 0.

Lemma is_self : forall a, is a a = 1.
Proof.
  intro a. unfold is. assert (same a a = true) as ->; [| reflexivity].
  induction a as [| x a IH]; simpl; [reflexivity |]. rewrite Z.eqb_refl. exact IH.
Qed.

Lemma is_other : forall a b, a <> b -> is a b = 0.
Proof. intros a b H. unfold is. destruct (same a b) eqn:E; [| reflexivity]. apply same_eq in E. contradiction. Qed.

Lemma is_range : forall a b, 0 <= is a b.
Proof. intros a b. unfold is. destruct (same a b); lia. Qed.

Definition orbit (sides : list Z) (x : square) : list square :=
  filter (fun y => same (key sides y) (key sides x)) (squares_of sides).

Lemma in_orbit : forall sides x y, In y (orbit sides x) <-> on_board sides y /\ key sides y = key sides x.
Proof.
  intros sides x y. unfold orbit. rewrite filter_In. split.
  - intros [H E]. split; [apply squares_of_on_board; exact H | apply same_eq; exact E].
  - intros [H E]. split; [apply in_squares_of; exact H |]. rewrite E.
    pose proof (is_self (key sides x)) as G. unfold is in G. destruct (same _ _); [reflexivity | discriminate].
Qed.

Lemma NoDup_orbit : forall sides x, NoDup (orbit sides x).
Proof. intros. apply NoDup_filter, NoDup_squares_of. Qed.

Lemma image_orbit : forall sides g x, In g (symmetries sides) -> Permutation (map g (orbit sides x)) (orbit sides x).
Proof.
  intros sides g x Hg. apply NoDup_Permutation_bis.
  - apply (NoDup_image sides g Hg); [| apply NoDup_orbit]. intros y Hy. apply in_orbit in Hy. tauto.
  - rewrite map_length. reflexivity.
  - intros z Hz. apply in_map_iff in Hz. destruct Hz as (y & <- & Hy). apply in_orbit in Hy. destruct Hy as [Hon Hk].
    apply in_orbit. split; [apply (symmetry_on_board sides g Hg); exact Hon |].
    rewrite (symmetry_key sides g Hg) by exact Hon. exact Hk.
Qed.

(** The average over the symmetries is the average over the orbit. *)
Lemma average : forall sides w x, on_board sides x ->
  Z.of_nat (length (orbit sides x)) * total (fun g => w (g x)) (symmetries sides) =
  Z.of_nat (length (symmetries sides)) * total w (orbit sides x).
Proof.
  intros sides w x Hx.
  transitivity (total (fun y => total (fun g => w (g y)) (symmetries sides)) (orbit sides x)).
  - rewrite <- total_constant. apply total_ext. intros y Hy. apply in_orbit in Hy. destruct Hy as [Hy Hk].
    apply same_orbit; auto.
  - rewrite total_swap, <- total_constant. apply total_ext. intros g Hg.
    rewrite <- total_map. apply total_permutation, image_orbit. exact Hg.
Qed.

(** Weights whose sum over each image of an independent set is at most [v], and whose average on every orbit
    is at least [d], bound the set. *)
Theorem averaged : forall p sides w v d S,
  (forall g, In g (symmetries sides) -> total w (map g S) <= v) ->
  (forall x, on_board sides x -> d * Z.of_nat (length (orbit sides x)) <= total w (orbit sides x)) ->
  independent p sides S -> d * Z.of_nat (length S) <= v.
Proof.
  intros p sides w v d S Hv Hd HS. pose proof (symmetries_some sides) as HG.
  set (n := Z.of_nat (length (symmetries sides))) in *.
  assert (total (fun s => total (fun g => w (g s)) (symmetries sides)) S <= n * v) as H1.
  { rewrite total_swap. unfold n. rewrite <- total_constant. apply total_le. intros g Hg.
    rewrite <- total_map. apply Hv. exact Hg. }
  assert (Z.of_nat (length S) * (n * d) <= total (fun s => total (fun g => w (g s)) (symmetries sides)) S) as H2.
  { rewrite <- total_constant. apply total_le. intros s Hs.
    destruct HS as (_ & Hon & _). rewrite Forall_forall in Hon. specialize (Hon s Hs).
    pose proof (average sides w s Hon) as E. fold n in E. specialize (Hd s Hon).
    assert (0 < Z.of_nat (length (orbit sides s))) as Ho.
    { assert (In s (orbit sides s)) as Hin by (apply in_orbit; auto). destruct (orbit sides s); [destruct Hin | simpl length; lia]. }
    nia. }
  nia.
Qed.

(** * Formal sums of keys *)

Definition entries := list (list Z * Z).

Definition weigh (h : list Z -> Z) (es : entries) : Z := total (fun e => snd e * h (fst e)) es.

Fixpoint key_leb (a b : list Z) : bool :=
  match a, b with
  | [], _ => true
  | _ :: _, [] => false
  | x :: a', y :: b' => if x <? y then true else if y <? x then false else key_leb a' b'
  end.

Module EntryOrder <: TotalLeBool.
  Definition t : Type := list Z * Z.
  Definition leb (a b : t) : bool := key_leb (fst a) (fst b).
  Lemma leb_total : forall a b, leb a b = true \/ leb b a = true.
  Proof.
    intros [a m] [b n]. unfold leb. simpl. revert b. clear. induction a as [| x a IH]; intros [| y b]; simpl; auto.
    destruct (Z.ltb_spec x y); destruct (Z.ltb_spec y x); auto.
  Qed.
End EntryOrder.

Module EntrySort := Sort EntryOrder.

Fixpoint gather (k : list Z) (m : Z) (es : entries) (acc : entries) : entries :=
  match es with
  | [] => (k, m) :: acc
  | (k', m') :: es' => if same k k' then gather k (m + m') es' acc else gather k' m' es' ((k, m) :: acc)
  end.

(** Combines entries with the same key. *)
Definition condense (es : entries) : entries :=
  match EntrySort.sort es with
  | [] => []
  | (k, m) :: es' => gather k m es' []
  end.

Lemma weigh_gather : forall h es k m acc, weigh h (gather k m es acc) = m * h k + weigh h es + weigh h acc.
Proof.
  intro h. induction es as [| [k' m'] es IH]; intros k m acc; simpl; [unfold weigh; simpl; lia |].
  destruct (same k k') eqn:E.
  - apply same_eq in E. subst k'. rewrite IH. unfold weigh. simpl. lia.
  - rewrite IH. unfold weigh. simpl. lia.
Qed.

Lemma weigh_condense : forall h es, weigh h (condense es) = weigh h es.
Proof.
  intros h es. unfold condense, weigh. rewrite (total_permutation _ _ _ _ (EntrySort.Permuted_sort es)).
  destruct (EntrySort.sort es) as [| [k m] es']; [reflexivity |].
  pose proof (weigh_gather h es' k m []) as G. unfold weigh in G. rewrite G. simpl. lia.
Qed.

Lemma weigh_app : forall h a b, weigh h (a ++ b) = weigh h a + weigh h b.
Proof. intros. apply total_app. Qed.

Definition scaled (q : Z) (es : entries) : entries := map (fun e => (fst e, q * snd e)) es.

Lemma weigh_scaled : forall h q es, weigh h (scaled q es) = q * weigh h es.
Proof.
  intros h q es. unfold weigh, scaled. rewrite total_map, <- total_times. apply total_ext. intros e _. simpl. lia.
Qed.

Lemma weigh_nonnegative : forall h es, (forall k, 0 <= h k) -> forallb (fun e => 0 <=? snd e) es = true -> 0 <= weigh h es.
Proof.
  intros h es Hh H. unfold weigh. rewrite forallb_forall in H.
  transitivity (total (fun _ : list Z * Z => 0) es); [rewrite total_constant; lia |]. apply total_le.
  intros e He. specialize (H e He). apply Z.leb_le in H. specialize (Hh (fst e)). nia.
Qed.

(** * The keys of all squares with given coordinates *)

Fixpoint choices (axes : list (list Z)) : list square :=
  match axes with
  | [] => [[]]
  | a :: axes' => let below := choices axes' in flat_map (fun c => map (cons c) below) a
  end.

Lemma squares_of_choices : forall sides, squares_of sides = choices (map (fun n => count_up (Z.to_nat n) 0) sides).
Proof. induction sides as [| n s IH]; simpl; [reflexivity |]. rewrite IH. reflexivity. Qed.

Fixpoint histogram (sides : list Z) (axes : list (list Z)) : entries :=
  match sides, axes with
  | n :: s, a :: axes' =>
      let below := histogram s axes' in
      let here := condense (map (fun c => ([n * n + fold_coordinate n c], 1)) a) in
      condense (flat_map (fun e => map (fun b => (insert (hd 0 (fst e)) (fst b), snd e * snd b)) below) here)
  | _, _ => [([], 1)]
  end.

Lemma histogram_right : forall sides axes h, length axes = length sides ->
  weigh h (histogram sides axes) = total (fun x => h (key sides x)) (choices axes).
Proof.
  induction sides as [| n s IH]; intros [| a axes] h Hl; try discriminate.
  { unfold weigh. cbn. destruct (h []); reflexivity. }
  injection Hl as Hl. cbn [histogram choices]. rewrite weigh_condense. unfold weigh. rewrite !total_flat_map.
  set (here := condense _).
  transitivity (weigh (fun k => total (fun x => h (insert (hd 0 k) (key s x))) (choices axes)) here).
  - unfold weigh. apply total_ext. intros e _. rewrite total_map. simpl.
    pose proof (IH axes (fun k => h (insert (hd 0 (fst e)) k)) Hl) as G. unfold weigh in G. cbv beta in G.
    rewrite <- G, <- total_times. apply total_ext. intros b _. lia.
  - unfold here. rewrite weigh_condense. unfold weigh. rewrite total_map. apply total_ext. intros c _. cbn [fst snd hd].
    rewrite total_map, Z.mul_1_l. apply total_ext. intros x _. reflexivity.
Qed.

(** Returns the keys of a list of squares with their multiplicities. *)
Definition keys_of (sides : list Z) (l : list square) : entries := condense (map (fun x => (key sides x, 1)) l).

Lemma keys_of_right : forall sides l h, weigh h (keys_of sides l) = total (fun x => h (key sides x)) l.
Proof.
  intros sides l h. unfold keys_of. rewrite weigh_condense. unfold weigh. rewrite total_map. apply total_ext.
  intros x _. cbn [fst snd]. lia.
Qed.

(** * Sums of inequalities *)

(** Returns the number of occurrences of a square in a list. *)
Definition times_in (l : list square) (x : square) : Z := total (fun c => is c x) l.

(** For each set of the class, the number of its pieces on the squares of a list, multiplied by [times], is at
    most [times] times [most]. [keys] contains the orbits of the list. *)
Definition holds (class : list square -> Prop) (sides : list Z) (times most : Z) (keys : entries) : Prop :=
  exists l, (forall c, In c l -> on_board sides c) /\
    (forall h, weigh h keys = total (fun c => h (key sides c)) l) /\
    (forall S, class S -> times * total (times_in l) S <= times * most).

Record inequality := { times : Z; most : Z; keys : entries }.

Definition right_side (rows : list inequality) : Z := total (fun r => times r * most r) rows.

(** Returns the number of squares of each orbit of a board. *)
Definition sizes_of (sides : list Z) : entries := histogram sides (map (fun n => count_up (Z.to_nat n) 0) sides).

Lemma size_right : forall sides x, weigh (fun k => is k (key sides x)) (sizes_of sides) = Z.of_nat (length (orbit sides x)).
Proof.
  intros sides x. unfold sizes_of. rewrite histogram_right, <- squares_of_choices by apply map_length.
  rewrite <- (Z.mul_1_r (Z.of_nat _)), <- total_constant. unfold orbit. rewrite total_filter. reflexivity.
Qed.

Definition counted (sides : list Z) (d : Z) (rows : list inequality) : entries :=
  condense (flat_map (fun r => scaled (times r) (keys r)) rows ++ scaled (- d) (sizes_of sides)).

(** Returns [true] if every orbit is counted at least [d] times for each of its squares. *)
Definition covers (sides : list Z) (d : Z) (rows : list inequality) : bool :=
  forallb (fun e => 0 <=? snd e) (counted sides d rows).

Lemma total_is : forall l c, NoDup l -> total (is c) l = if in_dec (list_eq_dec Z.eq_dec) c l then 1 else 0.
Proof.
  intros l c H. induction H as [| x l Hx H IH]; [reflexivity |]. cbn [total fold_right]. fold (total (is c) l). rewrite IH.
  destruct (in_dec (list_eq_dec Z.eq_dec) c (x :: l)) as [Hin | Hin]; destruct (in_dec (list_eq_dec Z.eq_dec) c l) as [Hl | Hl].
  - rewrite is_other; [reflexivity |]. intros ->. contradiction.
  - destruct Hin as [-> | Hin]; [rewrite is_self; reflexivity | contradiction].
  - destruct (Hin (or_intror Hl)).
  - rewrite is_other; [reflexivity |]. intros ->. apply Hin. left. reflexivity.
Qed.

Lemma times_in_orbit : forall sides l x, (forall c, In c l -> on_board sides c) ->
  total (times_in l) (orbit sides x) = total (fun c => is (key sides c) (key sides x)) l.
Proof.
  intros sides l x Hl. unfold times_in. rewrite total_swap. apply total_ext. intros c Hc. cbv beta.
  change (total (is c) (orbit sides x) = is (key sides c) (key sides x)).
  rewrite total_is by apply NoDup_orbit. destruct (in_dec _ _ _) as [Hin | Hin]; rewrite in_orbit in Hin.
  - destruct Hin as [_ ->]. rewrite is_self. reflexivity.
  - rewrite is_other; [reflexivity |]. intro E. apply Hin. split; [apply Hl; exact Hc | exact E].
Qed.

(** Classes of independent sets that contain all images of their sets. *)
Definition kept_by_symmetries (p : piece) (sides : list Z) (class : list square -> Prop) : Prop :=
  (forall S, class S -> independent p sides S) /\
  (forall S g, class S -> In g (symmetries sides) -> class (map g S)).

Theorem summed : forall class p sides d rows, kept_by_symmetries p sides class ->
  Forall (fun r => holds class sides (times r) (most r) (keys r)) rows ->
  covers sides d rows = true ->
  forall S, class S -> d * Z.of_nat (length S) <= right_side rows.
Proof.
  intros class p sides d rows [HK HG] Hr Hc.
  assert (exists w,
    (forall S, class S -> total w S <= right_side rows) /\
    (forall x, total w (orbit sides x) =
       weigh (fun k => is k (key sides x)) (flat_map (fun r => scaled (times r) (keys r)) rows))) as (w & Hw & Ho).
  { clear Hc. induction Hr as [| r rows (l & Hl & Hk & Hi) Hr (w & Hw & Ho)].
    - exists (fun _ => 0). split; intros; rewrite total_constant; unfold right_side, weigh; simpl; lia.
    - exists (fun x => times r * times_in l x + w x). split.
      + intros S HS. rewrite total_plus, total_times. specialize (Hw S HS). specialize (Hi S HS).
        unfold right_side in *. simpl. lia.
      + intro x. rewrite total_plus, total_times, times_in_orbit, Ho by exact Hl. simpl flat_map.
        rewrite weigh_app, weigh_scaled, Hk. reflexivity. }
  intros S HS. apply (averaged p sides w); [intros g Hg; apply Hw, HG; assumption | | apply HK; exact HS]. intros x Hx. rewrite Ho.
  pose proof (weigh_nonnegative (fun k => is k (key sides x)) _ (fun k => is_range k _) Hc) as H.
  unfold counted in H. rewrite weigh_condense, weigh_app, weigh_scaled, size_right in H. lia.
Qed.
