(** Layer counts: the number of squares of a set in each layer along an axis, and a test that all possible
    counts satisfy one of several cases. *)

From NDQ Require Import Definitions Boxes Trees Problems.

(** Consecutive layers, with the least number of squares in them together. *)
Record range := { first : Z; last : Z; least : Z }.

(** The same layers, counted from the other end. *)
Definition turned (n : Z) (r : range) : range := {| first := n - 1 - last r; last := n - 1 - first r; least := least r |}.

Section Counts.

Variable k : Z.                           (* number of squares *)
Variable bounds : list (option Z).        (* bounds of 1, 2, ... consecutive layers, where they are known *)
Variable given : list range.              (* known lower limits of the counts *)
Variable cases : list (list range).

(** Counts are given as partial sums: the numbers of squares in the first [i] layers, in the first [i - 1],
    ..., in none. *)
Definition sum_before (sums : list Z) (i j : Z) : Z := nth (Z.to_nat (i - j)) sums 0.

Definition has (sums : list Z) (i : Z) (r : range) : bool :=
  (first r <=? last r) && (least r <=? sum_before sums i (last r + 1) - sum_before sums i (first r)).

(** Returns [true] if the counts satisfy a case, whatever the remaining counts are. *)
Definition satisfied (sums : list Z) (i : Z) : bool := existsb (forallb (has sums i)) cases.

(** Returns the largest partial sum with one layer more, by the bounds of the last layer, of the last two
    layers, and so on. *)
Fixpoint largest (most : Z) (sums : list Z) (bs : list (option Z)) : Z :=
  match sums, bs with
  | s :: sums', b :: bs' =>
      match b with
      | Some m => largest (Z.min most (s + m)) sums' bs'
      | None => largest most sums' bs'
      end
  | _, _ => most
  end.

(** Returns the least partial sum with one layer more, because the remaining layers must hold the other
    squares. *)
Definition smallest (left : nat) (sums : list Z) : Z :=
  match nth left (Some 0 :: bounds) None with
  | Some m => Z.max (hd 0 sums) (k - m)
  | None => hd 0 sums
  end.

(** Checks layer by layer that all counts with these first layers satisfy a case. Each sequence of first
    layers is one step. Returns the number of remaining steps. *)
Fixpoint all_satisfied (left : nat) (i : Z) (sums : list Z) (steps : Z) : option Z :=
  if satisfied sums i then Some steps else
  match left with
  | O => if forallb (has sums i) given then None else Some steps
  | S left' =>
      let from := smallest left' sums in
      let number := largest k sums bounds - from + 1 in
      if steps <? number then None else
      fold_left (fun steps' next =>
        match steps' with
        | Some m => all_satisfied left' (i + 1) (next :: sums) m
        | None => None
        end) (count_up (Z.to_nat number) from) (Some (steps - Z.max number 0))
  end.

(** Returns the reason for which [all_satisfied] returns [None]: [Some true] if the steps run out, [Some
    false] if some counts satisfy no case; with the number of remaining steps. No theorem depends on it; it
    only determines the message. *)
Fixpoint obstacle (left : nat) (i : Z) (sums : list Z) (steps : Z) : Z * option bool :=
  if satisfied sums i then (steps, None) else
  match left with
  | O => (steps, if forallb (has sums i) given then Some false else None)
  | S left' =>
      let from := smallest left' sums in
      let number := largest k sums bounds - from + 1 in
      if steps <? number then (steps, Some true) else
      fold_left (fun before next =>
        match snd before with
        | None => obstacle left' (i + 1) (next :: sums) (fst before)
        | Some _ => before
        end) (count_up (Z.to_nat number) from) (steps - Z.max number 0, None)
  end.

(** Number of squares of a set in its first layers. *)
Variable s : Z -> Z.
Variable n : nat.
Hypothesis none_before : forall j, j <= 0 -> s j = 0.
Hypothesis more_behind : forall i j, i <= j -> s i <= s j.
Hypothesis all_behind : forall j, Z.of_nat n <= j -> s j = k.
Hypothesis bounded : forall w i m, (w < length bounds)%nat -> nth w bounds None = Some m -> 0 <= i -> i + Z.of_nat (S w) <= Z.of_nat n ->
  s (i + Z.of_nat (S w)) - s i <= m.
Hypothesis given_right : forall r, In r given -> first r <= last r /\ least r <= s (last r + 1) - s (first r).

Fixpoint sums_of (i : nat) : list Z :=
  match i with
  | O => [s 0]
  | S i' => s (Z.of_nat i) :: sums_of i'
  end.

Lemma nth_sums_of : forall i j, nth j (sums_of i) 0 = s (Z.of_nat i - Z.of_nat j).
Proof.
  induction i as [| i IH]; intros [| j]; cbn [sums_of nth].
  - reflexivity.
  - destruct j; rewrite none_before by lia; reflexivity.
  - f_equal; lia.
  - rewrite IH. f_equal. lia.
Qed.

Lemma sum_before_right : forall i j, sum_before (sums_of i) (Z.of_nat i) j = s (Z.min (Z.of_nat i) j).
Proof. intros i j. unfold sum_before. rewrite nth_sums_of. f_equal. lia. Qed.

Lemma has_right : forall i r, has (sums_of i) (Z.of_nat i) r = true -> least r <= s (last r + 1) - s (first r).
Proof.
  intros i r H. unfold has in H. rewrite !sum_before_right in H. apply andb_prop in H. rewrite !Z.leb_le in H. destruct H as [H1 H2].
  destruct (Z.leb_spec (Z.of_nat i) (first r)) as [Hf | Hf].
  - rewrite !Z.min_l in H2 by lia. pose proof (more_behind (first r) (last r + 1)). lia.
  - rewrite (Z.min_r _ (first r)) in H2 by lia. pose proof (more_behind (Z.min (Z.of_nat i) (last r + 1)) (last r + 1)). lia.
Qed.

Lemma has_given : forall r, In r given -> has (sums_of n) (Z.of_nat n) r = true.
Proof.
  assert (forall j, s (Z.min (Z.of_nat n) j) = s j) as G.
  { intro j. destruct (Z.leb_spec (Z.of_nat n) j); [| rewrite Z.min_r by lia; reflexivity].
    rewrite !all_behind by lia. reflexivity. }
  intros r Hr. destruct (given_right r Hr) as [H1 H2]. unfold has. rewrite !sum_before_right, !G.
  apply andb_true_intro. rewrite !Z.leb_le. auto.
Qed.

Lemma largest_right : forall i most d bs, (i <= d)%nat -> (d < n)%nat -> s (Z.of_nat (S d)) <= most ->
  (forall w, nth w bs None = nth (d - i + w) bounds None) -> (length bs + (d - i) <= length bounds)%nat ->
  s (Z.of_nat (S d)) <= largest most (sums_of i) bs.
Proof.
  assert (forall i d b, (i <= d)%nat -> (d < n)%nat -> nth (d - i) bounds None = Some b -> (d - i < length bounds)%nat ->
            s (Z.of_nat (S d)) <= s (Z.of_nat i) + b) as G.
  { intros i d b Hi Hd Hb Hl. pose proof (bounded (d - i) (Z.of_nat i) b Hl Hb) as H.
    replace (Z.of_nat i + Z.of_nat (S (d - i))) with (Z.of_nat (S d)) in H by lia. lia. }
  induction i as [| i IH]; intros most d [| b bs] Hi Hd Hm Hbs Hl; try exact Hm; cbn [sums_of largest];
    pose proof (Hbs 0%nat) as H0; simpl in H0; rewrite Nat.add_0_r in H0; simpl in Hl.
  - destruct b as [b |]; [| exact Hm]. pose proof (G 0%nat d b) as Hb. simpl in Hb. apply Z.min_glb; [exact Hm |].
    apply Hb; auto; lia.
  - assert (forall most', s (Z.of_nat (S d)) <= most' -> s (Z.of_nat (S d)) <= largest most' (sums_of i) bs) as Hw.
    { intros most' Hm'. apply (IH most' d); auto; try lia. intro w. specialize (Hbs (S w)). simpl in Hbs. rewrite Hbs. f_equal. lia. }
    destruct b as [b |]; apply Hw; [| exact Hm]. apply Z.min_glb; [exact Hm |]. apply (G (S i) d b); auto. lia.
Qed.

Lemma fold_all : forall A (f : Z -> A -> option Z) l m r x,
  fold_left (fun steps c => match steps with Some m => f m c | None => None end) l (Some m) = Some r ->
  In x l -> exists m' r', f m' x = Some r'.
Proof.
  intros A f l. induction l as [| y l IH]; intros m r x H Hx; [destruct Hx |]. simpl in H.
  destruct (f m y) as [m' |] eqn:E.
  - destruct Hx as [<- | Hx]; [exists m, m'; exact E | apply (IH m' r x H Hx)].
  - exfalso. clear -H. induction l as [| z l IH]; simpl in H; [discriminate | auto].
Qed.

Theorem all_satisfied_right : forall left i steps r, (i + left = n)%nat ->
  all_satisfied left (Z.of_nat i) (sums_of i) steps = Some r ->
  exists case, In case cases /\ forall h, In h case -> least h <= s (last h + 1) - s (first h).
Proof.
  assert (forall i, satisfied (sums_of i) (Z.of_nat i) = true ->
            exists case, In case cases /\ forall h, In h case -> least h <= s (last h + 1) - s (first h)) as Hsat.
  { intros i H. unfold satisfied in H. apply existsb_exists in H. destruct H as (case & Hc & H). exists case. split; [exact Hc |].
    rewrite forallb_forall in H. intros h Hh. apply (has_right i). apply H. exact Hh. }
  induction left as [| left IH]; intros i steps r Hi H; cbn [all_satisfied] in H;
    (destruct (satisfied (sums_of i) (Z.of_nat i)) eqn:Es; [apply (Hsat i Es) |]).
  - rewrite Nat.add_0_r in Hi. subst i.
    destruct (forallb (has (sums_of n) (Z.of_nat n)) given) eqn:Eg; [discriminate |]. exfalso.
    assert (forallb (has (sums_of n) (Z.of_nat n)) given = true) as Hc; [| congruence].
    apply forallb_forall. apply has_given.
  - destruct (steps <? _); [discriminate |].
    assert (hd 0 (sums_of i) = s (Z.of_nat i)) as Htop by (destruct i; reflexivity).
    assert (s (Z.of_nat (S i)) <= k) as Hk.
    { rewrite <- (all_behind (Z.of_nat n)) by lia. apply more_behind. lia. }
    assert (s (Z.of_nat (S i)) <= largest k (sums_of i) bounds) as Hlargest.
    { apply (largest_right i k i); auto; try lia. intro w. f_equal. lia. }
    assert (smallest left (sums_of i) <= s (Z.of_nat (S i))) as Hsmallest.
    { assert (s (Z.of_nat i) <= s (Z.of_nat (S i))) as Hnext by (apply more_behind; lia).
      unfold smallest. rewrite Htop. destruct (nth left (Some 0 :: bounds) None) as [m |] eqn:Em; [| exact Hnext].
      apply Z.max_lub; [exact Hnext |]. destruct left as [| left]; cbn [nth] in Em.
      - injection Em as <-. rewrite (all_behind (Z.of_nat (S i))) by lia. lia.
      - destruct (Nat.leb_spec (length bounds) left) as [Hle | Hlt]; [rewrite nth_overflow in Em by exact Hle; discriminate |].
        pose proof (bounded left (Z.of_nat (S i)) m Hlt Em) as Hw.
        rewrite (all_behind (Z.of_nat (S i) + Z.of_nat (S left))) in Hw by lia. lia. }
    apply fold_all with (x := s (Z.of_nat (S i))) in H; [| apply in_count_up; lia].
    destruct H as (m & r' & H). change (s (Z.of_nat (S i)) :: sums_of i) with (sums_of (S i)) in H.
    replace (Z.of_nat i + 1) with (Z.of_nat (S i)) in H by lia. apply (IH (S i) m r'); [lia | exact H].
Qed.

End Counts.

(** * The layers of a set on a board *)

Section Layers.

Variables (p : piece) (o : order) (sides : list Z) (b : board).
Hypothesis made : make_board p o sides = Some b.

(** Returns the number of squares before a layer. *)
Definition before (a : nat) (S : list Z) (j : Z) : Z := count (fun x => nth a (at_ b x) 0 <? j) S.

Lemma before_slab : forall a from to S, from <= to + 1 -> Forall (is_place b) S ->
  count (mem (such_that b (slab_test a from to))) S = before a S (to + 1) - before a S from.
Proof.
  intros a from to S H Hpl. unfold before. induction Hpl as [| x S Hx Hpl IH]; [reflexivity |]. rewrite !count_cons, IH.
  rewrite (mem_such_that_eq p o sides b made) by exact Hx. unfold slab_test.
  destruct (Z.leb_spec from (nth a (at_ b x) 0)), (Z.leb_spec (nth a (at_ b x) 0) to),
    (Z.ltb_spec (nth a (at_ b x) 0) (to + 1)), (Z.ltb_spec (nth a (at_ b x) 0) from); cbn [andb]; lia.
Qed.

Lemma sides_with_axis : forall a lo lo' w r, map snd (with_axis a (lo, w) r) = map snd (with_axis a (lo', w) r).
Proof. induction a as [| a IH]; intros lo lo' w [| q r]; simpl; try reflexivity. f_equal. apply IH. Qed.

(** Consecutive layers hold at most as many squares of a solution as the bound of the box of that width. *)
Lemma slab_bound : forall k w rs given S a from to m, solution (problem_of b k w rs given) S -> (a < length sides)%nat ->
  at_most p (map snd (with_axis a (0, to - from + 1) (whole sides))) m ->
  count (mem (such_that b (slab_test a from to))) S <= m.
Proof.
  intros k w rs given S a from to m HS Ha Hm.
  destruct (solution_independent p o sides b made k w rs given S HS) as ((Hnd & Hon & Hat) & _).
  destruct HS as (_ & Hpl & _). rewrite Forall_forall in Hpl. rewrite Forall_forall in Hon.
  rewrite (count_map _ _ (slab_test a from to) _ (at_ b)) by (intros x Hx; apply (mem_such_that_eq p o sides b made), Hpl, Hx).
  apply (filter_inside p (with_axis a (from, to - from + 1) (whole sides))); auto.
  - rewrite (sides_with_axis a from 0). exact Hm.
  - intros x Hx Hf. unfold slab_test in Hf. apply andb_prop in Hf. rewrite !Z.leb_le in Hf.
    apply inside_with_axis; [apply inside_whole, Hon, Hx | unfold whole; rewrite map_length; exact Ha | lia].
Qed.

(** If all possible counts satisfy a case, each solution satisfies some case. *)
Lemma layers_satisfy : forall k w rs given S a n bounds own cases steps r, solution (problem_of b k w rs given) S ->
  (a < length sides)%nat -> nth a sides 0 = Z.of_nat n ->
  (forall v m, nth v bounds None = Some m -> at_most p (map snd (with_axis a (0, Z.of_nat v + 1) (whole sides))) m) ->
  (forall h, In h own -> first h <= last h /\ least h <= count (mem (such_that b (slab_test a (first h) (last h)))) S) ->
  (forall case h, In case cases -> In h case -> first h <= last h) ->
  all_satisfied k bounds own cases n 0 [0] steps = Some r ->
  exists case, In case cases /\
    forall h, In h case -> least h <= count (mem (such_that b (slab_test a (first h) (last h)))) S.
Proof.
  intros k w rs given S a n bounds own cases steps r HS Ha Hn Hbounds Hown Hcases H.
  pose proof HS as (_ & Hpl & _ & Hk & _).
  assert (forall x, In x S -> 0 <= nth a (at_ b x) 0 < Z.of_nat n) as Hlayer.
  { intros x Hx. rewrite <- Hn. rewrite Forall_forall in Hpl.
    apply nth_inside; [apply (at_on_board p o sides b made), Hpl, Hx | exact Ha]. }
  destruct (all_satisfied_right k bounds own cases (before a S) n) with (left := n) (i := 0%nat) (steps := steps) (r := r)
    as (case & Hc & Hh).
  - intros j Hj. unfold before. apply count_none. intros x Hx. apply Z.ltb_ge. specialize (Hlayer x Hx). lia.
  - intros i j Hij. unfold before. apply count_filter_le. intros x _ Hx. apply Z.ltb_lt in Hx. apply Z.ltb_lt. lia.
  - intros j Hj. unfold before. simpl in Hk. rewrite <- Hk, (count_split Z (fun x => nth a (at_ b x) 0 <? j) S).
    rewrite (count_none Z (fun x => negb _)); [lia |]. intros x Hx. apply negb_false_iff, Z.ltb_lt. specialize (Hlayer x Hx). lia.
  - intros v i m _ Hw Hi _. apply Hbounds in Hw.
    pose proof (slab_bound k w rs given S a i (i + Z.of_nat v) m HS Ha) as Hs.
    replace (i + Z.of_nat v - i + 1) with (Z.of_nat v + 1) in Hs by lia. specialize (Hs Hw).
    rewrite before_slab in Hs by (try assumption; lia).
    replace (i + Z.of_nat (Datatypes.S v)) with (i + Z.of_nat v + 1) by lia. exact Hs.
  - intros h Hin. destruct (Hown h Hin) as [H1 H2]. split; [exact H1 |]. rewrite before_slab in H2 by (try assumption; lia). exact H2.
  - reflexivity.
  - simpl. replace (before a S 0) with 0; [exact H |]. symmetry. apply count_none. intros x Hx. apply Z.ltb_ge. apply (Hlayer x Hx).
  - exists case. split; [exact Hc |]. intros h Hin. specialize (Hcases case h Hc Hin). rewrite before_slab by (try assumption; lia). auto.
Qed.

End Layers.
