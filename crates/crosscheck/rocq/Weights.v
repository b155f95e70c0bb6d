(** Weighted inequalities: a search shows that the weights of the squares of every independent set add up to at
    most a bound. *)

From NDQ Require Import Definitions Boxes Sums Orbits.

(** * Cliques with weights *)

(** A square by its place in a list, with its weight and the set of places that it attacks. *)
Record vertex := { place : Z; weight_at : Z; attacked : Z }.

(** Removes a clique from squares with uncovered weights: takes each square that is a candidate, subtracts [w]
    from its weight, and keeps the candidates that it attacks. *)
Fixpoint without_clique (candidates w : Z) (l : list (vertex * Z)) : list (vertex * Z) :=
  match l with
  | [] => []
  | (v, u) :: l' =>
      if Z.testbit candidates (place v) then
        let candidates' := Z.land candidates (attacked v) in
        if u <=? w then without_clique candidates' w l' else (v, u - w) :: without_clique candidates' w l'
      else (v, u) :: without_clique candidates w l'
  end.

(** Covers squares by cliques with weights of at most [rest] in all. Returns the places of the squares that are
    not covered completely, the last one first. The first list only bounds the number of steps. *)
Fixpoint not_covered {A} (steps : list A) (l : list (vertex * Z)) (rest : Z) (acc : list Z) : list Z :=
  match steps, l with
  | _, [] => acc
  | [], _ => rev_append (map (fun e => place (fst e)) l) acc
  | _ :: steps', (v, u) :: l' =>
      if u <=? rest then not_covered steps' (without_clique (attacked v) u l') (rest - u) acc
      else not_covered steps' l' rest (place v :: acc)
  end.

(** * Search *)

(** The result of a search: the inequality holds, with the number of nodes that are left; an independent set
    is heavier; or there are no nodes left. *)
Inductive verdict := Light (nodes : Z) | Heavy | Undecided.

Definition is_at (x : Z) (v : vertex) : bool := place v =? x.

(** Searches for an independent set of the squares [left] that is heavier than [rest]. *)
Fixpoint search (fuel : nat) (left : list vertex) (rest nodes : Z) : verdict :=
  match fuel with
  | O => Undecided
  | S fuel' =>
      if nodes <=? 0 then Undecided else
      (fix branch (places : list Z) (left : list vertex) (nodes : Z) : verdict :=
        match places with
        | [] => Light nodes
        | x :: places' =>
            let here := filter (is_at x) left in
            let others := filter (fun v => negb (is_at x v)) left in
            let reach := fold_left (fun s v => Z.lor s (attacked v)) here 0 in
            let rest' := rest - total weight_at here in
            if rest' <? 0 then Heavy else
            match search fuel' (filter (fun v => negb (Z.testbit reach (place v))) others) rest' nodes with
            | Light nodes' => branch places' others nodes'
            | other => other
            end
        end) (not_covered left (map (fun v => (v, weight_at v)) left) rest []) left (nodes - 1)
  end.

Section Search.

(** [chosen] contains the places of an independent set. *)
Variable chosen : Z -> bool.

Definition apart (v : vertex) : Prop :=
  0 <= weight_at v /\ (chosen (place v) = true -> forall x, Z.testbit (attacked v) x = true -> chosen x = false).

Definition held_weight (v : vertex) : Z := if chosen (place v) then weight_at v else 0.

Definition held_rest (e : vertex * Z) : Z := if chosen (place (fst e)) then snd e else 0.

Definition right_entry (e : vertex * Z) : Prop := apart (fst e) /\ 0 <= snd e.

Definition dead (candidates : Z) : Prop := forall x, Z.testbit candidates x = true -> chosen x = false.

Lemma dead_land : forall a b, dead a \/ dead b -> dead (Z.land a b).
Proof. intros a b H x. rewrite Z.land_spec. intro E. apply andb_prop in E. destruct E, H as [H | H]; apply H; assumption. Qed.

Lemma without_clique_right : forall l candidates w, 0 <= w -> Forall right_entry l ->
  Forall right_entry (without_clique candidates w l) /\
  total held_rest l <= w + total held_rest (without_clique candidates w l) /\
  (dead candidates -> total held_rest l <= total held_rest (without_clique candidates w l)).
Proof.
  induction l as [| [v u] l IH]; intros candidates w Hw Hl; [cbn; split; [constructor | lia] |].
  inversion Hl as [| ? ? Hv Hl']; subst. cbn [without_clique]. destruct Hv as [[Hp Ha] Hu]. cbn [fst snd] in *.
  destruct (Z.testbit candidates (place v)) eqn:E.
  - destruct (IH (Z.land candidates (attacked v)) w Hw Hl') as (H1 & H2 & H3).
    assert (chosen (place v) = true -> dead (Z.land candidates (attacked v))) as Hd.
    { intros Hc. apply dead_land. right. intros x Hx. apply (Ha Hc x Hx). }
    assert (dead candidates -> chosen (place v) = false) as Hn by (intro D; apply (D _ E)).
    assert (dead candidates -> dead (Z.land candidates (attacked v))) as Hk by (intro D; apply dead_land; left; exact D).
    destruct (Z.leb_spec u w) as [Huw | Huw].
    + split; [exact H1 |]. cbn [total fold_right]. fold (total held_rest l). unfold held_rest at 1 4. cbn [fst snd].
      destruct (chosen (place v)) eqn:C.
      * specialize (H3 (Hd eq_refl)). split; [lia |]. intro D. discriminate (Hn D).
      * split; [lia |]. intro D. specialize (H3 (Hk D)). lia.
    + split; [constructor; [split; [split; assumption |]; cbn [snd]; lia | exact H1] |].
      cbn [total fold_right]. fold (total held_rest l). fold (total held_rest (without_clique (Z.land candidates (attacked v)) w l)).
      unfold held_rest at 1 3 5 7. cbn [fst snd]. destruct (chosen (place v)) eqn:C.
      * specialize (H3 (Hd eq_refl)). split; [lia |]. intro D. discriminate (Hn D).
      * split; [lia |]. intro D. specialize (H3 (Hk D)). lia.
  - destruct (IH candidates w Hw Hl') as (H1 & H2 & H3).
    split; [constructor; [split; [split; assumption | exact Hu] | exact H1] |].
    cbn [total fold_right]. fold (total held_rest l). fold (total held_rest (without_clique candidates w l)).
    split; [lia |]. intro D. specialize (H3 D). lia.
Qed.

Lemma total_not_chosen : forall l, (forall e, In e l -> chosen (place (fst e)) = false) -> total held_rest l = 0.
Proof.
  intros l H. rewrite (total_ext _ held_rest (fun _ => 0)); [rewrite total_constant; lia |].
  intros e He. unfold held_rest. rewrite (H e He). reflexivity.
Qed.

Lemma not_covered_right : forall A (steps : list A) l rest acc, 0 <= rest -> Forall right_entry l ->
  (forall x, In x acc -> In x (not_covered steps l rest acc)) /\
  ((forall x, In x (not_covered steps l rest acc) -> chosen x = false) -> total held_rest l <= rest).
Proof.
  intros A. induction steps as [| s steps IH]; intros [| [v u] l] rest acc Hr Hl; cbn [not_covered];
    try (split; [auto | intros _; cbn; lia]).
  - split; [intros x Hx; rewrite rev_append_rev; apply in_or_app; right; exact Hx |].
    intro H. rewrite total_not_chosen; [exact Hr |]. intros e He. apply H. rewrite rev_append_rev. apply in_or_app. left.
    apply in_rev. rewrite rev_involutive. apply (in_map (fun e => place (fst e))). exact He.
  - inversion Hl as [| ? ? Hv Hl']; subst. destruct Hv as [[Hp Ha] Hu]. cbn [fst snd] in *.
    cbn [total fold_right]. fold (total held_rest l). unfold held_rest at 1. cbn [fst snd].
    destruct (Z.leb_spec u rest) as [Hur | Hur].
    + destruct (without_clique_right l (attacked v) u Hu Hl') as (H1 & H2 & H3).
      destruct (IH (without_clique (attacked v) u l) (rest - u) acc ltac:(lia) H1) as [H4 H5].
      split; [exact H4 |]. intro H. specialize (H5 H). destruct (chosen (place v)) eqn:C; [| lia].
      specialize (H3 (Ha eq_refl)). lia.
    + destruct (IH l rest (place v :: acc) Hr Hl') as [H4 H5].
      split; [intros x Hx; apply H4; right; exact Hx |]. intro H. specialize (H5 H).
      rewrite (H (place v)) by (apply H4; left; reflexivity). lia.
Qed.

Lemma total_split : forall A (f : A -> Z) t l, total f l = total f (filter t l) + total f (filter (fun a => negb (t a)) l).
Proof.
  intros A f t l. rewrite !total_filter, <- total_plus. apply total_ext. intros a _. destruct (t a); cbn [negb]; lia.
Qed.

Lemma reach_right : forall here s x, Z.testbit s x = true \/ (exists v, In v here /\ Z.testbit (attacked v) x = true) <->
  Z.testbit (fold_left (fun s v => Z.lor s (attacked v)) here s) x = true.
Proof.
  induction here as [| v here IH]; intros s x; cbn [fold_left].
  - split; [intros [H | (v & [] & _)]; exact H | intro H; left; exact H].
  - rewrite <- IH, Z.lor_spec, orb_true_iff. split.
    + intros [H | (w & [<- | Hw] & H)]; [left; left; exact H | left; right; exact H | right; exists w; split; assumption].
    + intros [[H | H] | (w & Hw & H)];
        [left; exact H | right; exists v; split; [left; reflexivity | exact H] | right; exists w; split; [right; exact Hw | exact H]].
Qed.

Lemma held_filter : forall (t : vertex -> bool) l, (forall v, In v l -> t v = false -> chosen (place v) = false) ->
  total held_weight (filter t l) = total held_weight l.
Proof.
  intros t l H. rewrite total_filter. apply total_ext. intros v Hv. destruct (t v) eqn:E; [reflexivity |].
  unfold held_weight. rewrite (H v Hv E). reflexivity.
Qed.

Lemma Forall_filter : forall A (P : A -> Prop) t l, Forall P l -> Forall P (filter t l).
Proof. intros A P t l H. rewrite Forall_forall in *. intros a Ha. apply filter_In in Ha. apply H. apply Ha. Qed.

Theorem search_right : forall fuel left rest nodes nodes', 0 <= rest -> Forall apart left ->
  search fuel left rest nodes = Light nodes' -> total held_weight left <= rest.
Proof.
  induction fuel as [| fuel IH]; intros left rest nodes nodes' Hr Hl; [discriminate |].
  cbn [search]. destruct (nodes <=? 0); [discriminate |].
  set (places := not_covered left (map (fun v => (v, weight_at v)) left) rest []).
  assert ((forall x, In x places -> chosen x = false) -> total held_weight left <= rest) as Hp.
  { intro H. pose proof (not_covered_right vertex left (map (fun v => (v, weight_at v)) left) rest [] Hr) as [_ G].
    - apply Forall_forall. intros e He. apply in_map_iff in He. destruct He as (v & <- & Hv).
      rewrite Forall_forall in Hl. split; [apply Hl; exact Hv | apply (Hl v Hv)].
    - specialize (G H). rewrite total_map in G. exact G. }
  clearbody places. generalize (nodes - 1). clear nodes. revert left Hl Hp.
  induction places as [| x places IHp]; intros left Hl Hp nodes H; [apply Hp; intros y [] |].
  cbv zeta in H. set (here := filter (is_at x) left) in *. set (others := filter (fun v => negb (is_at x v)) left) in *.
  set (reach := fold_left _ here 0) in *.
  destruct (Z.ltb_spec (rest - total weight_at here) 0) as [| Hrest]; [discriminate |].
  destruct (search fuel _ _ nodes) as [nodes1 | |] eqn:E; try discriminate.
  assert (Forall apart others) as Ho by (apply Forall_filter; exact Hl).
  destruct (chosen x) eqn:C.
  - apply IH in E; [| exact Hrest | apply Forall_filter; exact Ho].
    rewrite held_filter in E.
    + rewrite (total_split _ held_weight (is_at x) left). fold here others.
      assert (total held_weight here <= total weight_at here) as G; [| lia].
      apply total_le. intros v Hv. unfold here in Hv. apply filter_In in Hv. destruct Hv as [Hv _].
      rewrite Forall_forall in Hl. destruct (Hl v Hv) as [Hw _]. unfold held_weight. destruct (chosen (place v)); lia.
    + intros v Hv Hn. apply negb_false_iff in Hn. unfold reach in Hn. apply reach_right in Hn. rewrite Z.bits_0 in Hn.
      destruct Hn as [Hn | (w & Hw & Ha)]; [discriminate |]. unfold here in Hw. apply filter_In in Hw. destruct Hw as [Hw Hx].
      unfold is_at in Hx. apply Z.eqb_eq in Hx. rewrite Forall_forall in Hl. destruct (Hl w Hw) as [_ Hap].
      apply Hap; [rewrite Hx; exact C | exact Ha].
  - assert (total held_weight others = total held_weight left) as G.
    { apply held_filter. intros v Hv Hn. apply negb_false_iff in Hn. unfold is_at in Hn. apply Z.eqb_eq in Hn.
      rewrite Hn. exact C. }
    rewrite <- G. apply (IHp others Ho) in H; [exact H |]. intro F. rewrite G. apply Hp. intros y [<- | Hy]; [exact C | apply F; exact Hy].
Qed.

End Search.

(** * Squares with weights *)

(** Returns the set of the places in a list, counted from [i], whose squares pass a test. *)
Fixpoint places_of (test : square -> bool) (l : list square) (i : Z) : Z :=
  match l with
  | [] => 0
  | y :: l' => let s := places_of test l' (i + 1) in if test y then Z.setbit s i else s
  end.

Lemma places_of_right : forall test l i j, 0 <= i -> Z.testbit (places_of test l i) j = true ->
  i <= j /\ exists y, nth_error l (Z.to_nat (j - i)) = Some y /\ test y = true.
Proof.
  intros test. induction l as [| y l IH]; intros i j Hi H; cbn [places_of] in H; [rewrite Z.bits_0 in H; discriminate |].
  assert (i + 1 <= j /\ (exists z, nth_error l (Z.to_nat (j - (i + 1))) = Some z /\ test z = true) ->
    i <= j /\ exists z, nth_error (y :: l) (Z.to_nat (j - i)) = Some z /\ test z = true) as G.
  { intros [Hj (z & Hz & Ht)]. split; [lia |]. exists z. split; [| exact Ht].
    replace (Z.to_nat (j - i)) with (S (Z.to_nat (j - (i + 1)))) by lia. exact Hz. }
  cbv zeta in H. destruct (test y) eqn:E.
  - destruct (Z.eq_dec i j) as [<- | Hne].
    + split; [lia |]. exists y. rewrite Z.sub_diag. split; [reflexivity | exact E].
    + rewrite Z.setbit_neq in H by lia. apply G, IH; [lia | exact H].
  - apply G, IH; [lia | exact H].
Qed.

Fixpoint vertices_of (p : piece) (all l : list (square * Z)) (i : Z) : list vertex :=
  match l with
  | [] => []
  | (x, w) :: l' =>
      {| place := i; weight_at := w; attacked := places_of (attacksb p x) (map fst all) 0 |} :: vertices_of p all l' (i + 1)
  end.

(** Returns the squares in the order of the search: by the number of squares that they attack, and by weight. *)
Definition search_order (p : piece) (l : list (square * Z)) : list (square * Z) :=
  let degree x := Z.of_nat (length (filter (fun e => attacksb p x (fst e)) l)) in
  map (fun e => (tl (tl (fst e)), snd e)) (EntrySort.sort (map (fun '(x, w) => (degree x :: w :: x, w)) l)).

Lemma search_order_permutation : forall p l, Permutation l (search_order p l).
Proof.
  intros p l. unfold search_order. cbv zeta. rewrite <- EntrySort.Permuted_sort, map_map.
  rewrite (map_ext _ (fun e => e)); [rewrite map_id; reflexivity |]. intros [x w]. reflexivity.
Qed.

(** Decides whether the weights of the squares of every independent set add up to at most [most]. *)
Definition decide (p : piece) (l : list (square * Z)) (most nodes : Z) : verdict :=
  if most <? 0 then Heavy else
  let ordered := search_order p l in
  search (S (length ordered)) (vertices_of p ordered ordered 0) most nodes.

(** Returns the squares, each repeated as many times as its weight. *)
Definition repeated (l : list (square * Z)) : list square := flat_map (fun e => repeat (fst e) (Z.to_nat (snd e))) l.

Lemma total_repeated : forall f l, Forall (fun e => 0 <= snd e) l ->
  total f (repeated l) = total (fun e => snd e * f (fst e)) l.
Proof.
  intros f l H. unfold repeated. rewrite total_flat_map. apply total_ext. intros [x w] Hx. rewrite Forall_forall in H.
  specialize (H _ Hx). cbn [fst snd] in *. rewrite <- (Z2Nat.id w) at 2 by exact H. generalize (Z.to_nat w). clear.
  induction n as [| n IH]; [reflexivity |]. cbn [repeat total fold_right]. fold (total f (repeat x n)). rewrite IH. lia.
Qed.

Definition stands (S : list square) (x : square) : bool := if in_dec (list_eq_dec Z.eq_dec) x S then true else false.

Definition chosen_of (S : list square) (l : list (square * Z)) (i : Z) : bool :=
  match nth_error (map fst l) (Z.to_nat i) with Some x => stands S x | None => false end.

Lemma stands_in : forall S x, stands S x = true <-> In x S.
Proof. intros S x. unfold stands. destruct (in_dec (list_eq_dec Z.eq_dec) x S); split; auto; discriminate. Qed.

Lemma vertices_right : forall p S all, (forall x y, In x S -> In y S -> ~ attacks p x y) -> forall l before i,
  all = before ++ l -> i = Z.of_nat (length before) -> Forall (fun e => 0 <= snd e) l ->
  Forall (apart (chosen_of S all)) (vertices_of p all l i) /\
  total (held_weight (chosen_of S all)) (vertices_of p all l i) = total (fun e => snd e * (if stands S (fst e) then 1 else 0)) l.
Proof.
  intros p S all Hat. induction l as [| [x w] l IH]; intros before i Hall Hi Hw; [split; [constructor | reflexivity] |].
  inversion Hw as [| ? ? Hw0 Hw']; subst i. cbn [vertices_of snd] in *.
  destruct (IH (before ++ [(x, w)]) (Z.of_nat (length before) + 1)) as [H1 H2].
  { rewrite Hall, <- app_assoc. reflexivity. }
  { rewrite app_length. cbn [length]. lia. }
  { exact Hw'. }
  assert (chosen_of S all (Z.of_nat (length before)) = stands S x) as Hc.
  { unfold chosen_of. rewrite Nat2Z.id, Hall, map_app, nth_error_app2; rewrite map_length; [| lia].
    rewrite Nat.sub_diag. reflexivity. }
  split.
  - constructor; [| exact H1]. split; [exact Hw0 |]. cbn [place attacked]. rewrite Hc. intros Hx j Hj.
    apply places_of_right in Hj; [| lia]. destruct Hj as [Hj (y & Hy & Ha)]. rewrite Z.sub_0_r in Hy.
    unfold chosen_of. rewrite Hy. destruct (stands S y) eqn:E; [| reflexivity].
    apply stands_in in Hx. apply stands_in in E. apply attacksb_attacks in Ha. destruct (Hat x y Hx E Ha).
  - cbn [total fold_right]. fold (total (held_weight (chosen_of S all)) (vertices_of p all l (Z.of_nat (length before) + 1))).
    rewrite H2. unfold held_weight. cbn [place weight_at fst snd]. rewrite Hc. fold (total (fun e : square * Z => snd e * (if stands S (fst e) then 1 else 0)) l).
    destruct (stands S x); lia.
Qed.

Theorem decide_right : forall p sides l most nodes nodes' S, Forall (fun e => 0 <= snd e) l ->
  decide p l most nodes = Light nodes' -> independent p sides S -> total (times_in (repeated l)) S <= most.
Proof.
  intros p sides l most nodes nodes' S Hw H (Hnd & _ & Hat). unfold decide in H. cbv zeta in H.
  destruct (Z.ltb_spec most 0) as [| Hm]; [discriminate |].
  pose proof (search_order_permutation p l) as P. set (ordered := search_order p l) in *. clearbody ordered.
  assert (Forall (fun e => 0 <= snd e) ordered) as Hw' by (apply (Permutation_Forall P); exact Hw).
  destruct (vertices_right p S ordered Hat ordered [] 0 eq_refl eq_refl Hw') as [H1 H2].
  apply (search_right (chosen_of S ordered)) in H; [| exact Hm | exact H1].
  rewrite H2, <- (total_permutation _ _ _ _ P) in H. unfold times_in. rewrite total_swap.
  rewrite total_repeated by exact Hw. erewrite total_ext; [exact H |]. intros [x w] _. cbn [fst snd].
  change (total (fun y => is x y) S) with (total (is x) S). rewrite total_is by exact Hnd. unfold stands.
  destruct (in_dec (list_eq_dec Z.eq_dec) x S); reflexivity.
Qed.
