(** The tree of a search, which shows that no independent set has the target size. Sets of places are
    integers, bit by bit; a place is the number of a square in the order of the tree. *)

From NDQ Require Import Definitions Boxes.

(** * Sets and tables *)

Notation mem := Z.testbit.

Fixpoint zeros (p : positive) : Z :=
  match p with
  | xO q => 1 + zeros q
  | _ => 0
  end.

(** Return the lowest and the highest member. No proof below depends on which members these are. *)
Definition lowest (s : Z) : Z :=
  match s with
  | Zpos p => zeros p
  | _ => 0
  end.

Definition highest (s : Z) : Z := Z.log2 s.

Definition table (A : Type) : Type := list A.

Definition table_of {A} (l : list A) : table A := l.

Definition get {A} (d : A) (t : table A) (i : Z) : A :=
  if i <? 0 then d else nth (Z.to_nat i) t d.

Definition count {A} (f : A -> bool) (l : list A) : Z := Z.of_nat (length (filter f l)).

Lemma count_cons : forall A (f : A -> bool) x l, count f (x :: l) = (if f x then 1 else 0) + count f l.
Proof. intros A f x l. unfold count. simpl filter. destruct (f x); simpl length; lia. Qed.

(** Counts the entries of a list that are in a set, as [count] does, but without an intermediate list. *)
Definition holds_of (mask : Z) (l : list Z) : Z :=
  fold_left (fun n x => if mem mask x then n + 1 else n) l 0.

Definition among (l : list Z) (x : Z) : bool := existsb (Z.eqb x) l.

Lemma among_In : forall l x, among l x = true <-> In x l.
Proof.
  intros l x. unfold among. rewrite existsb_exists. split.
  - intros (y & Hy & E). apply Z.eqb_eq in E. subst. exact Hy.
  - intro H. exists x. split; [exact H | apply Z.eqb_refl].
Qed.

Lemma holds_of_count : forall mask l, holds_of mask l = count (mem mask) l.
Proof.
  intros mask l. unfold holds_of, count.
  assert (forall n, fold_left (fun n x => if mem mask x then n + 1 else n) l n
                    = n + Z.of_nat (length (filter (mem mask) l))) as G; [| apply G].
  induction l as [| x l IH]; intro n; simpl; [lia |]. rewrite IH. destruct (mem mask x); simpl; lia.
Qed.

Lemma count_split : forall A (f : A -> bool) l, Z.of_nat (length l) = count f l + count (fun x => negb (f x)) l.
Proof. intros A f l. unfold count. rewrite (filter_split A f l). lia. Qed.

Lemma count_incl : forall (f : Z -> bool) l l', NoDup l -> (forall x, In x l -> f x = true -> In x l') ->
  count f l <= count f l'.
Proof.
  intros f l l' Hnd H. unfold count. apply inj_le. apply NoDup_incl_length; [apply NoDup_filter; exact Hnd |].
  intros x Hx. apply filter_In in Hx. apply filter_In. split; [apply H; tauto | tauto].
Qed.

Definition set_of (l : list Z) : Z := fold_left Z.setbit l 0.

Lemma mem_set_of : forall l x, (forall y, In y l -> 0 <= y) -> mem (set_of l) x = true <-> In x l.
Proof.
  intros l x H. unfold set_of.
  assert (forall s, mem (fold_left Z.setbit l s) x = true <-> In x l \/ mem s x = true) as G.
  { induction l as [| y l IH]; intro s; simpl; [tauto |].
    rewrite IH by (intros; apply H; right; assumption). rewrite Z.setbit_iff by (apply H; left; reflexivity). tauto. }
  rewrite G, Z.bits_0. intuition discriminate.
Qed.

Definition same_set (l l' : list Z) : Prop := forall x, In x l <-> In x l'.

(** Returns the members, the lowest first. *)
Fixpoint members (fuel : nat) (s : Z) (acc : list Z) : option (list Z) :=
  if s =? 0 then Some acc else
  match fuel with
  | O => None
  | S fuel' =>
      let v := highest s in
      if mem s v then members fuel' (Z.clearbit s v) (v :: acc) else None
  end.

Lemma members_all : forall fuel s acc l, members fuel s acc = Some l ->
  forall x, In x acc \/ mem s x = true -> In x l.
Proof.
  induction fuel as [| fuel IH]; intros s acc l; simpl; destruct (Z.eqb_spec s 0) as [-> | _]; try discriminate.
  - intros [= ->] x [H | H]; [exact H | rewrite Z.bits_0 in H; discriminate].
  - intros [= ->] x [H | H]; [exact H | rewrite Z.bits_0 in H; discriminate].
  - destruct (mem s (highest s)) eqn:E; [| discriminate]. intros H x Hx. apply (IH _ _ _ H).
    destruct Hx as [Hx | Hx]; [left; right; exact Hx |].
    destruct (Z.eq_dec (highest s) x) as [<- | Hne]; [left; left; reflexivity |].
    right. apply Z.clearbit_iff. auto.
Qed.

(** * Lists of sets *)

(** Sets of places. Each has a key, the set of the codes of its places; the keys are in increasing order. *)
Record listing := {
  sets : list (list Z);
  codes : table Z;
  keys : table Z;
  how_many : Z
}.

Definition nothing_listed : listing := {| sets := []; codes := table_of []; keys := table_of []; how_many := 0 |}.

(** Returns [true] if bisection finds a key. *)
Fixpoint among_keys (fuel : nat) (t : table Z) (key from to : Z) : bool :=
  match fuel with
  | O => false
  | S fuel' =>
      if to <=? from then false else
      let middle := Z.div2 (from + to) in
      let k := get (-1) t middle in
      if k =? key then 0 <=? key
      else if k <? key then among_keys fuel' t key (middle + 1) to
      else among_keys fuel' t key from middle
  end.

Lemma among_keys_In : forall fuel t key from to, among_keys fuel t key from to = true -> In key t.
Proof.
  induction fuel as [| fuel IH]; intros t key from to; cbn [among_keys]; [discriminate |].
  destruct (to <=? from); [discriminate |]. destruct (Z.eqb_spec (get (-1) t (Z.div2 (from + to))) key) as [E | _].
  - intro H. apply Z.leb_le in H. unfold get in E. destruct (Z.div2 (from + to) <? 0); [lia |].
    destruct (nth_in_or_default (Z.to_nat (Z.div2 (from + to))) t (-1)) as [Hin | Hd]; [| lia]. rewrite <- E. exact Hin.
  - destruct (_ <? _); apply IH.
Qed.

Definition key_of (w : listing) (P : list Z) : Z := set_of (map (get 0 (codes w)) P).

Definition is_listed (w : listing) (P : list Z) : bool := among_keys 64 (keys w) (key_of w P) 0 (how_many w).

Lemma is_listed_In : forall w P, is_listed w P = true -> In (key_of w P) (keys w).
Proof. intros w P. unfold is_listed. apply among_keys_In. Qed.

(** * Problems *)

Record problem := {
  size : nat;
  adjacent : table Z;
  wanted : Z;
  regions : table (Z * Z);
  assumed : list (Z * Z);           (* parts of the board with assumptions, and the least number of squares there *)
  listed : listing                  (* known sets, which are not solutions *)
}.

Section Tree.

Variable pb : problem.

Definition adj (x : Z) : Z := get 0 (adjacent pb) x.

Definition place (x : Z) : Prop := 0 <= x < Z.of_nat (size pb).

Definition placeb (x : Z) : bool := (0 <=? x) && (x <? Z.of_nat (size pb)).

Definition apart (S : list Z) : Prop := forall x y, In x S -> In y S -> mem (adj x) y = false.

(** Sets of the target size that satisfy all assumptions and are not listed. *)
Definition solution (S : list Z) : Prop :=
  NoDup S /\ Forall place S /\ apart S /\ Z.of_nat (length S) = wanted pb /\
  (forall R m, In (R, m) (assumed pb) -> m <= count (mem R) S) /\
  forall l, In l (sets (listed pb)) -> ~ same_set l S.

(** Sets that [is_listed] accepts are listed. *)
Definition sound_listing : Prop :=
  (forall l, In l (sets (listed pb)) -> Forall place l) /\
  forall P, Forall place P -> is_listed (listed pb) P = true -> exists l, In l (sets (listed pb)) /\ same_set l P.

(** Each region is a set of places, and every solution satisfies its demand. *)
Definition demands : Prop := forall r S, solution S ->
  snd (get (0, 0) (regions pb) r) <= count (mem (fst (get (0, 0) (regions pb) r))) S.

(** * Cliques *)

Fixpoint fit (fuel : nat) (reversed : bool) (candidates clique : Z) : Z :=
  match fuel with
  | O => clique
  | S fuel' =>
      if candidates =? 0 then clique else
      let v := if reversed then highest candidates else lowest candidates in
      if mem candidates v then fit fuel' reversed (Z.land candidates (adj v)) (Z.setbit clique v) else clique
  end.

Definition is_clique (c : Z) : Prop :=
  forall x y, mem c x = true -> mem c y = true -> x <> y -> mem (adj x) y = true \/ mem (adj y) x = true.

Definition extends (clique candidates : Z) : Prop :=
  forall x y, mem clique x = true -> mem candidates y = true -> x <> y -> mem (adj x) y = true.

Lemma mem_nonneg : forall s x, mem s x = true -> 0 <= x.
Proof. intros s x H. destruct (Z.leb_spec 0 x); [assumption |]. rewrite Z.testbit_neg_r in H by assumption. discriminate. Qed.

Lemma grow_clique : forall clique candidates v, is_clique clique -> extends clique candidates ->
  mem candidates v = true ->
  is_clique (Z.setbit clique v) /\ extends (Z.setbit clique v) (Z.land candidates (adj v)).
Proof.
  intros clique candidates v Hc He Hv. pose proof (mem_nonneg _ _ Hv) as H0. split.
  - intros x y Hx Hy Hne. apply Z.setbit_iff in Hx; [| exact H0]. apply Z.setbit_iff in Hy; [| exact H0].
    destruct Hx as [<- | Hx], Hy as [<- | Hy].
    + contradiction.
    + right. apply He; auto.
    + left. apply He; auto.
    + apply Hc; auto.
  - intros x y Hx Hy Hne. apply Z.setbit_iff in Hx; [| exact H0].
    rewrite Z.land_spec in Hy. apply andb_prop in Hy. destruct Hy as [Hy1 Hy2].
    destruct Hx as [<- | Hx]; [exact Hy2 | apply He; auto].
Qed.

Lemma fit_clique : forall fuel reversed candidates clique,
  is_clique clique -> extends clique candidates -> is_clique (fit fuel reversed candidates clique).
Proof.
  induction fuel as [| fuel IH]; intros reversed candidates clique Hc He; simpl; [exact Hc |].
  destruct (candidates =? 0); [exact Hc |].
  set (v := if reversed then highest candidates else lowest candidates).
  destruct (mem candidates v) eqn:Hv; [| exact Hc].
  destruct (grow_clique clique candidates v Hc He Hv). apply IH; assumption.
Qed.

Lemma empty_clique : forall candidates, is_clique 0 /\ extends 0 candidates.
Proof. intro. split; intros x y H; rewrite Z.bits_0 in H; discriminate. Qed.

Lemma one_in_clique : forall c T, is_clique c -> NoDup T -> apart T -> count (mem c) T <= 1.
Proof.
  intros c T Hc Hnd Hat. unfold count. destruct (filter (mem c) T) as [| x [| y l]] eqn:E; simpl; try lia.
  exfalso. assert (In x (filter (mem c) T)) as Hx by (rewrite E; simpl; auto).
  assert (In y (filter (mem c) T)) as Hy by (rewrite E; simpl; auto).
  assert (NoDup (filter (mem c) T)) as Hn by (apply NoDup_filter; exact Hnd).
  rewrite E in Hn. inversion Hn as [| ? ? Hni _]; subst.
  apply filter_In in Hx. apply filter_In in Hy. destruct Hx as [Hx Hcx], Hy as [Hy Hcy].
  assert (x <> y) as Hne by (intros ->; apply Hni; left; reflexivity).
  destruct (Hc x y Hcx Hcy Hne) as [H | H]; rewrite Hat in H by assumption; discriminate.
Qed.

(** Returns the clique of the listed places, completed along the whole board, or [None] if two of them do not
    attack each other. *)
Fixpoint named (full : Z) (vs : list Z) (candidates clique : Z) : option Z :=
  match vs with
  | [] => Some (fit (size pb) false candidates clique)
  | v :: vs' =>
      if mem candidates v then named full vs' (Z.land candidates (adj v)) (Z.setbit clique v) else None
  end.

Lemma named_clique : forall full vs candidates clique c, is_clique clique -> extends clique candidates ->
  named full vs candidates clique = Some c -> is_clique c.
Proof.
  intros full. induction vs as [| v vs IH]; intros candidates clique c Hc He; simpl.
  - intros [= <-]. apply fit_clique; assumption.
  - destruct (mem candidates v) eqn:Hv; [| discriminate].
    destruct (grow_clique clique candidates v Hc He Hv). apply IH; assumption.
Qed.

(** * Covers *)

(** Returns a set without [most] first-fit cliques. *)
Fixpoint uncovered (fuel : nat) (reversed : bool) (most s : Z) : Z :=
  match fuel with
  | O => s
  | S fuel' =>
      if (most <=? 0) || (s =? 0) then s
      else uncovered fuel' reversed (most - 1) (Z.ldiff s (fit (size pb) reversed s 0))
  end.

Definition outside (s : Z) (x : Z) : bool := negb (mem s x).

Lemma apart_filter : forall f T, apart T -> apart (filter f T).
Proof. intros f T H x y Hx Hy. apply filter_In in Hx. apply filter_In in Hy. apply H; tauto. Qed.

Lemma count_filter_le : forall A (f g : A -> bool) l,
  (forall x, In x l -> f x = true -> g x = true) -> count f l <= count g l.
Proof.
  intros A f g l H. induction l as [| x l IH]; [reflexivity |]. rewrite !count_cons.
  assert (count f l <= count g l) as G by (apply IH; intros; apply H; [right |]; assumption).
  destruct (f x) eqn:E; [rewrite (H x (or_introl eq_refl) E); lia |].
  destruct (g x); lia.
Qed.

Lemma count_none : forall A (f : A -> bool) l, (forall x, In x l -> f x = false) -> count f l = 0.
Proof.
  intros A f l H. unfold count. induction l as [| x l IH]; simpl; [reflexivity |].
  rewrite (H x (or_introl eq_refl)). apply IH. intros; apply H; right; assumption.
Qed.

(** Removing a clique from a set removes at most one place of an independent set. *)
Lemma count_less_clique : forall c s rest T most, is_clique c -> NoDup T -> apart T ->
  (forall x, In x T -> mem s x = true) ->
  (forall T', NoDup T' -> apart T' -> (forall x, In x T' -> mem (Z.ldiff s c) x = true) ->
     count (outside rest) T' <= most) ->
  count (outside rest) T <= most + 1.
Proof.
  intros c s rest T most Hc Hnd Hat Hs H.
  pose proof (one_in_clique c T Hc Hnd Hat) as H1.
  assert (count (outside rest) (filter (outside c) T) <= most) as H2.
  { apply H; [apply NoDup_filter; exact Hnd | apply apart_filter; exact Hat |].
    intros x Hx. apply filter_In in Hx. destruct Hx as [Hx Hxc]. rewrite Z.ldiff_spec. rewrite (Hs x Hx). exact Hxc. }
  enough (count (outside rest) T <= count (mem c) T + count (outside rest) (filter (outside c) T)) by lia.
  clear. induction T as [| x T IH]; [reflexivity |]. simpl filter. rewrite !count_cons.
  change (outside c x) with (negb (mem c x)).
  destruct (mem c x); simpl negb; cbv iota; rewrite ?count_cons; destruct (outside rest x); lia.
Qed.

Lemma uncovered_count : forall fuel reversed most s T, 0 <= most -> NoDup T -> apart T ->
  (forall x, In x T -> mem s x = true) -> count (outside (uncovered fuel reversed most s)) T <= most.
Proof.
  assert (forall s T, (forall x, In x T -> mem s x = true) -> count (outside s) T = 0) as Hsame.
  { intros s T H. apply count_none. intros x Hx. unfold outside. rewrite H by exact Hx. reflexivity. }
  induction fuel as [| fuel IH]; intros reversed most s T Hm Hnd Hat Hs; simpl.
  - rewrite Hsame by exact Hs. exact Hm.
  - destruct (Z.leb_spec most 0) as [Hle | Hlt]; simpl; [rewrite Hsame by exact Hs; exact Hm |].
    destruct (s =? 0); [rewrite Hsame by exact Hs; exact Hm |].
    replace most with (most - 1 + 1) at 2 by lia.
    apply (count_less_clique (fit (size pb) reversed s 0) s); auto.
    + apply fit_clique; [apply (empty_clique 0) | apply empty_clique].
    + intros T' Hnd' Hat' Hs'. apply IH; auto. lia.
Qed.

Definition less_cliques (s : Z) (cliques : list Z) : Z := fold_left Z.ldiff cliques s.

Lemma less_cliques_count : forall cliques s T, Forall is_clique cliques -> NoDup T -> apart T ->
  (forall x, In x T -> mem s x = true) ->
  count (outside (less_cliques s cliques)) T <= Z.of_nat (length cliques).
Proof.
  induction cliques as [| c cliques IH]; intros s T Hc Hnd Hat Hs.
  - simpl. rewrite count_none; [lia |]. intros x Hx. unfold outside. simpl. rewrite Hs by exact Hx. reflexivity.
  - inversion Hc; subst. change (less_cliques s (c :: cliques)) with (less_cliques (Z.ldiff s c) cliques).
    simpl length. rewrite Nat2Z.inj_succ, <- Z.add_1_r.
    apply (count_less_clique c s); auto.
Qed.

(** * Nodes *)

(** A solution that contains all places of the queens so far, and otherwise only free places. *)
Definition alive (P : list Z) (F : Z) (S : list Z) : Prop :=
  solution S /\ incl P S /\ forall x, In x S -> In x P \/ mem F x = true.

Definition sound_node (P : list Z) (F : Z) : Prop := NoDup P /\ forall x, In x P -> mem F x = false.

(** An open node, which continues with the children at these places, or is visited again itself. *)
Inductive frame :=
  | Children (P : list Z) (F : Z) (vs : list Z)
  | Again (P : list Z) (F : Z).

Inductive progress :=
  | At (P : list Z) (F : Z) (stack : list frame)
  | Done
  | NotFree.

Fixpoint advance (stack : list frame) : progress :=
  match stack with
  | [] => Done
  | Again P F :: rest => At P F rest
  | Children P F [] :: rest => advance rest
  | Children P F (v :: vs) :: rest =>
      if mem F v then
        let F' := Z.clearbit F v in
        At (v :: P) (Z.ldiff F' (adj v)) (Children P F' vs :: rest)
      else NotFree
  end.

Definition sound_frame (f : frame) : Prop :=
  match f with
  | Children P F _ => sound_node P F
  | Again P F => sound_node P F
  end.

Definition open_frame (f : frame) : Prop :=
  match f with
  | Children P F vs => exists S, alive P F S /\ exists v, In v vs /\ In v S
  | Again P F => exists S, alive P F S
  end.

Definition some_solution : Prop := exists S, solution S.

(** If there is a solution, some solution is alive at the current node or at an open one. *)
Definition invariant (p : progress) : Prop :=
  match p with
  | At P F stack =>
      sound_node P F /\ Forall sound_frame stack /\
      (some_solution -> (exists S, alive P F S) \/ Exists open_frame stack)
  | Done => ~ some_solution
  | NotFree => True
  end.

Lemma advance_invariant : forall stack, Forall sound_frame stack ->
  (some_solution -> Exists open_frame stack) -> invariant (advance stack).
Proof.
  induction stack as [| f stack IH]; intros Hs Ho; simpl.
  - intro H. apply Ho in H. inversion H.
  - inversion Hs as [| ? ? Hf Hs']; subst. destruct f as [P F [| v vs] | P F].
    + apply IH; [exact Hs' |]. intro H. apply Ho in H. inversion H as [? ? Hopen | ]; subst; [| assumption].
      destruct Hopen as (S & _ & v & [] & _).
    + destruct (mem F v) eqn:Hv; [| exact I]. destruct Hf as [Hnd Hd].
      assert (forall x, In x P -> mem (Z.clearbit F v) x = false) as Hd'.
      { intros x Hx. rewrite Z.clearbit_eqb, (Hd x Hx). reflexivity. }
      split; [| split].
      * split.
        -- constructor; [| exact Hnd]. intro Hin. rewrite (Hd v Hin) in Hv. discriminate.
        -- intros x [<- | Hx]; rewrite Z.ldiff_spec, Z.clearbit_eqb.
           ++ rewrite Z.eqb_refl, andb_false_r. reflexivity.
           ++ rewrite (Hd x Hx). reflexivity.
      * constructor; [split; assumption | exact Hs'].
      * intro H. apply Ho in H. inversion H as [? ? Hopen | ? ? Hrest]; subst; [| right; right; exact Hrest].
        destruct Hopen as (S & HS & u & Hu & HuS).
        destruct HS as (Hsol & Hincl & Hfree).
        destruct (in_dec Z.eq_dec v S) as [HvS | HvS].
        -- left. exists S. split; [exact Hsol | split].
           ++ intros x [<- | Hx]; auto.
           ++ intros x Hx. destruct (Z.eq_dec v x) as [<- | Hne]; [left; left; reflexivity |].
              destruct (Hfree x Hx) as [HP | HF]; [left; right; exact HP |]. right.
              rewrite Z.ldiff_spec, Z.clearbit_eqb, HF. destruct (Z.eqb_spec v x); [contradiction |]. simpl.
              destruct Hsol as (_ & _ & Hat & _). rewrite Hat; auto.
        -- right. left. exists S. split.
           ++ split; [exact Hsol | split; [exact Hincl |]]. intros x Hx.
              destruct (Hfree x Hx) as [HP | HF]; [left; exact HP |]. right. apply Z.clearbit_iff. split; [exact HF |].
              intros ->. contradiction.
           ++ exists u. split; [| exact HuS]. destruct Hu as [<- | Hu]; [contradiction | exact Hu].
    + split; [exact Hf | split; [exact Hs' |]]. intro H. apply Ho in H. inversion H; subst; auto.
Qed.

(** A node whose solutions all contain one of these places may be replaced by its children. *)
Lemma children_invariant : forall P F vs stack, invariant (At P F stack) ->
  (forall S, alive P F S -> exists v, In v vs /\ In v S) ->
  invariant (advance (Children P F vs :: stack)).
Proof.
  intros P F vs stack (Hn & Hs & Ho) H. apply advance_invariant; [constructor; assumption |].
  intro Hsome. destruct (Ho Hsome) as [(S & HS) | Hrest]; [left; exists S; auto | right; exact Hrest].
Qed.

(** ** Covers of a region *)

Definition further (r : Z) (P : list Z) : Z :=
  let (R, m) := get (0, 0) (regions pb) r in m - holds_of R P - 1.

Definition free_in (r F : Z) : Z := Z.land F (fst (get (0, 0) (regions pb) r)).

Lemma further_count : forall r P F S, demands -> sound_node P F -> alive P F S ->
  exists T, NoDup T /\ apart T /\ incl T S /\ (forall x, In x T -> mem (free_in r F) x = true) /\
    further r P + 1 <= Z.of_nat (length T).
Proof.
  intros r P F S Hd (HndP & HdP) (Hsol & Hincl & Hfree). pose proof (Hd r S Hsol) as Hm.
  unfold further, free_in. destruct (get (0, 0) (regions pb) r) as [R m]. simpl in *. rewrite holds_of_count.
  destruct Hsol as (Hnd & _ & Hat & _).
  exists (filter (fun x => negb (among P x)) (filter (mem R) S)).
  assert (NoDup (filter (mem R) S)) as HndR by (apply NoDup_filter; exact Hnd).
  split; [apply NoDup_filter; exact HndR | split; [apply apart_filter, apart_filter; exact Hat | split; [| split]]].
  - intros x Hx. apply filter_In in Hx. destruct Hx as [Hx _]. apply filter_In in Hx. tauto.
  - intros x Hx. apply filter_In in Hx. destruct Hx as [Hx HxP]. apply filter_In in Hx. destruct Hx as [Hx HxR].
    rewrite Z.land_spec, HxR, andb_true_r. destruct (Hfree x Hx) as [HP | HF]; [| exact HF].
    apply among_In in HP. rewrite HP in HxP. discriminate.
  - assert (count (among P) (filter (mem R) S) <= count (mem R) P) as Hle.
    { unfold count. apply inj_le. apply NoDup_incl_length; [apply NoDup_filter; exact HndR |].
      intros x Hx. apply filter_In in Hx. destruct Hx as [Hx HxP]. apply filter_In in Hx.
      apply filter_In. split; [apply among_In; exact HxP | tauto]. }
    pose proof (count_split Z (among P) (filter (mem R) S)) as Hsplit. unfold count in *. lia.
Qed.

Lemma cover_hits : forall r P F S rest, demands -> sound_node P F -> alive P F S ->
  (forall T, NoDup T -> apart T -> (forall x, In x T -> mem (free_in r F) x = true) ->
     count (outside rest) T <= further r P) ->
  exists x, In x S /\ mem rest x = true.
Proof.
  intros r P F S rest Hd Hn Ha H. destruct (further_count r P F S Hd Hn Ha) as (T & HndT & HatT & Hincl & HF & Hlen).
  specialize (H T HndT HatT HF). pose proof (count_split Z (outside rest) T) as Hsplit.
  assert (0 < count (fun x => negb (outside rest x)) T) as Hpos by lia. unfold count in Hpos.
  destruct (filter (fun x => negb (outside rest x)) T) as [| x l] eqn:E; [simpl in Hpos; lia |].
  assert (In x (filter (fun x => negb (outside rest x)) T)) as Hx by (rewrite E; left; reflexivity).
  apply filter_In in Hx. destruct Hx as [Hx Hr]. unfold outside in Hr. rewrite negb_involutive in Hr.
  exists x. split; [apply Hincl; exact Hx | exact Hr].
Qed.

Inductive outcome :=
  | Next (p : progress)
  | Satisfied
  | Uncovered.

Definition sound_outcome (o : outcome) : Prop :=
  match o with
  | Next p => invariant p
  | _ => True
  end.

Definition first_fit_step (r : Z) (reversed : bool) (P : list Z) (F : Z) (stack : list frame) : outcome :=
  let most := further r P in
  if most <? 0 then Satisfied else
  match members (S (size pb)) (uncovered (S (size pb)) reversed most (free_in r F)) [] with
  | Some vs => Next (advance (Children P F vs :: stack))
  | None => Uncovered
  end.

Lemma first_fit_sound : forall r reversed P F stack, demands -> invariant (At P F stack) ->
  sound_outcome (first_fit_step r reversed P F stack).
Proof.
  intros r reversed P F stack Hd Hi. unfold first_fit_step.
  destruct (Z.ltb_spec (further r P) 0) as [Hlt | Hge]; [exact I |].
  destruct (members _ _ _) as [vs |] eqn:E; [| exact I].
  apply children_invariant; [exact Hi |]. intros S Ha.
  destruct (cover_hits r P F S (uncovered (Datatypes.S (size pb)) reversed (further r P) (free_in r F)) Hd (proj1 Hi) Ha) as (x & Hx & Hm).
  { intros T HndT HatT HF. apply uncovered_count; assumption. }
  exists x. split; [| exact Hx]. apply (members_all _ _ _ _ E). right. exact Hm.
Qed.

Definition named_step (r : Z) (cliques : list Z) (vs : list Z) (P : list Z) (F : Z) (stack : list frame) : outcome :=
  if further r P <? Z.of_nat (length cliques) then Satisfied else
  match members (S (size pb)) (less_cliques (free_in r F) cliques) [] with
  | Some rest =>
      if forallb (among vs) rest then Next (advance (Children P F vs :: stack)) else Uncovered
  | None => Uncovered
  end.

Lemma named_sound : forall r cliques vs P F stack, demands -> Forall is_clique cliques -> invariant (At P F stack) ->
  sound_outcome (named_step r cliques vs P F stack).
Proof.
  intros r cliques vs P F stack Hd Hc Hi. unfold named_step.
  destruct (Z.ltb_spec (further r P) (Z.of_nat (length cliques))) as [Hlt | Hge]; [exact I |].
  destruct (members _ _ _) as [rest |] eqn:E; [| exact I].
  destruct (forallb (among vs) rest) eqn:Ef; [| exact I].
  apply children_invariant; [exact Hi |]. intros S Ha.
  destruct (cover_hits r P F S (less_cliques (free_in r F) cliques) Hd (proj1 Hi) Ha) as (x & Hx & Hm).
  { intros T HndT HatT HF. pose proof (less_cliques_count cliques (free_in r F) T Hc HndT HatT HF). lia. }
  exists x. split; [| exact Hx]. rewrite forallb_forall in Ef. apply among_In. apply Ef.
  apply (members_all _ _ _ _ E). right. exact Hm.
Qed.

(** ** Sets that are listed *)

(** Accepts a node at which all queens are placed on a listed set. *)
Definition listed_step (P : list Z) (F : Z) (stack : list frame) : option progress :=
  if (Z.of_nat (length P) =? wanted pb) && is_listed (listed pb) P then Some (advance (Children P F [] :: stack)) else None.

Lemma listed_sound : forall P F stack p, sound_listing -> invariant (At P F stack) ->
  listed_step P F stack = Some p -> invariant p.
Proof.
  intros P F stack p [_ Hw] Hi. unfold listed_step. destruct (Z.eqb_spec (Z.of_nat (length P)) (wanted pb)) as [E | _]; [| discriminate].
  destruct (is_listed (listed pb) P) eqn:El; [| discriminate]. intro Hp.
  assert (p = advance (Children P F [] :: stack)) as -> by (simpl in *; congruence). apply children_invariant; [exact Hi |].
  intros S ((Hnd & Hpl & _ & Hk & _ & Hun) & Hincl & _). exfalso. rewrite Forall_forall in Hpl.
  destruct (Hw P) as (l & Hl & Hsame); [apply Forall_forall; intros x Hx; apply Hpl, Hincl, Hx | exact El |].
  apply (Hun l Hl). intro x. rewrite (Hsame x). split; [apply Hincl |].
  destruct Hi as ((HndP & _) & _). apply (NoDup_length_incl HndP); [lia | exact Hincl].
Qed.

(** ** Sums of rows *)

(** An inequality: a multiplier, sets of places with the weight of their places, and the largest sum of
    weights of a solution. *)
Record row := { times : Z; parts : list (Z * Z); most : Z }.

(** Returns the sum of the weights of a list of places. *)
Definition weighed (w : row) (S : list Z) : Z := fold_right (fun q n => snd q * count (mem (fst q)) S + n) 0 (parts w).

(** Computes [weighed] without an intermediate list. *)
Definition weighed_of (w : row) (S : list Z) : Z := fold_right (fun q n => snd q * holds_of (fst q) S + n) 0 (parts w).

Definition weight_of (w : row) (x : Z) : Z := fold_right (fun q n => if mem (fst q) x then snd q + n else n) 0 (parts w).

Definition sound_row (w : row) : Prop :=
  0 <= times w /\ Forall (fun q => 0 <= snd q) (parts w) /\ forall S, solution S -> weighed w S <= most w.

Definition counted (rows : list row) (x : Z) : Z :=
  fold_right (fun w n => times w * weight_of w x + n) 0 rows.

Definition held (rows : list row) (P : list Z) : Z :=
  fold_right (fun w n => times w * Z.max (most w - weighed_of w P) 0 + n) 0 rows.

Lemma weighed_of_weighed : forall w S, weighed_of w S = weighed w S.
Proof.
  intros w S. unfold weighed_of, weighed. induction (parts w) as [| q l IH]; simpl; [reflexivity |].
  rewrite IH, holds_of_count. reflexivity.
Qed.

Lemma weighed_nil : forall w, weighed w [] = 0.
Proof. intro w. unfold weighed. induction (parts w) as [| q l IH]; simpl; [reflexivity |]. rewrite IH. unfold count. simpl. lia. Qed.

Lemma weighed_cons : forall w x S, weighed w (x :: S) = weight_of w x + weighed w S.
Proof.
  intros w x S. unfold weighed, weight_of. induction (parts w) as [| q l IH]; simpl; [reflexivity |].
  rewrite IH, count_cons. destruct (mem (fst q) x); lia.
Qed.

Lemma weighed_split : forall w (f : Z -> bool) S,
  weighed w S = weighed w (filter (fun x => negb (f x)) S) + weighed w (filter f S).
Proof.
  intros w f S. induction S as [| x S IH].
  - simpl. rewrite weighed_nil. lia.
  - simpl filter. rewrite weighed_cons. destruct (f x); simpl negb; cbv iota; rewrite weighed_cons; lia.
Qed.

Lemma weighed_incl : forall w S S', Forall (fun q => 0 <= snd q) (parts w) -> NoDup S -> incl S S' -> weighed w S <= weighed w S'.
Proof.
  intros w S S' Hw Hnd Hi. unfold weighed. induction Hw as [| q l Hq Hl IH]; simpl; [lia |].
  pose proof (count_incl (mem (fst q)) S S' Hnd (fun x Hx _ => Hi x Hx)). nia.
Qed.

Fixpoint sum (f : Z -> Z) (l : list Z) : Z :=
  match l with
  | [] => 0
  | x :: l' => f x + sum f l'
  end.

Lemma sum_counted : forall rows T,
  sum (counted rows) T = fold_right (fun w n => times w * weighed w T + n) 0 rows.
Proof.
  intros rows T. induction T as [| x T IH]; simpl.
  - induction rows as [| w rows IHr]; simpl; [reflexivity |]. rewrite <- IHr.
    rewrite weighed_nil. lia.
  - rewrite IH. clear IH. induction rows as [| w rows IHr]; simpl; [reflexivity |].
    rewrite <- IHr, weighed_cons. lia.
Qed.

Lemma sum_least : forall f q T, (forall x, In x T -> q <= f x) -> q * Z.of_nat (length T) <= sum f T.
Proof.
  intros f q T H. induction T as [| x T IH]; simpl length; simpl sum; [lia |].
  rewrite Nat2Z.inj_succ. specialize (H x (or_introl eq_refl)) as Hx.
  assert (q * Z.of_nat (length T) <= sum f T) by (apply IH; intros; apply H; right; assumption). lia.
Qed.

Definition sum_step (q : Z) (rows : list row) (vs : list Z) (P : list Z) (F : Z) (stack : list frame) : outcome :=
  if (0 <=? q) && (held rows P <? q * (wanted pb - Z.of_nat (length P))) then
    match members (S (size pb)) F [] with
    | Some free =>
        if forallb (fun x => (q <=? counted rows x) || among vs x) free
        then Next (advance (Children P F vs :: stack)) else Uncovered
    | None => Uncovered
    end
  else Satisfied.

Lemma sum_sound : forall q rows vs P F stack, Forall sound_row rows -> invariant (At P F stack) ->
  sound_outcome (sum_step q rows vs P F stack).
Proof.
  intros q rows vs P F stack Hr Hi. unfold sum_step.
  destruct (Z.leb_spec 0 q) as [Hq | Hq]; cbn [andb]; [| exact I].
  destruct (Z.ltb_spec (held rows P) (q * (wanted pb - Z.of_nat (length P)))) as [Hlt | Hge]; [| exact I].
  destruct (members _ _ _) as [free |] eqn:E; [| exact I].
  destruct (forallb _ free) eqn:Ef; [| exact I].
  apply children_invariant; [exact Hi |]. intros S (Hsol & Hincl & Hfree).
  destruct (existsb (among S) vs) eqn:Eh.
  { apply existsb_exists in Eh. destruct Eh as (v & Hv & HvS). exists v. split; [exact Hv | apply among_In; exact HvS]. }
  exfalso. set (T := filter (fun x => negb (among P x)) S).
  destruct Hi as ((HndP & HdP) & _ & _). pose proof Hsol as (Hnd & _ & Hat & Hk & _).
  assert (forall x, In x T -> q <= counted rows x) as Hcount.
  { intros x Hx. apply filter_In in Hx. destruct Hx as [Hx HxP].
    assert (mem F x = true) as HF.
    { destruct (Hfree x Hx) as [HP | HF]; [| exact HF]. apply among_In in HP. rewrite HP in HxP. discriminate. }
    rewrite forallb_forall in Ef. specialize (Ef x (members_all _ _ _ _ E x (or_intror HF))).
    apply orb_prop in Ef. destruct Ef as [Ef | Ef]; [apply Z.leb_le; exact Ef |].
    assert (existsb (among S) vs = true) as Hc; [| rewrite Hc in Eh; discriminate].
    apply existsb_exists. exists x. split; [apply among_In; exact Ef | apply among_In; exact Hx]. }
  assert (wanted pb - Z.of_nat (length P) <= Z.of_nat (length T)) as HlenT.
  { pose proof (count_split Z (among P) S) as Hs. unfold count in Hs. fold T in Hs.
    assert (Z.of_nat (length (filter (among P) S)) <= Z.of_nat (length P)) as Hle; [| lia].
    apply inj_le. apply NoDup_incl_length; [apply NoDup_filter; exact Hnd |].
    intros x Hx. apply filter_In in Hx. apply among_In. tauto. }
  pose proof (sum_least (counted rows) q T Hcount) as H1. rewrite sum_counted in H1.
  assert (fold_right (fun w n => times w * weighed w T + n) 0 rows <= held rows P) as H2.
  { clear E Ef Hlt Hcount H1. unfold held. induction rows as [| w rows IHr]; [simpl; lia |].
    inversion Hr as [| ? ? (Hw0 & Hparts & Hw) Hr']; subst. simpl. specialize (IHr Hr').
    enough (times w * weighed w T <= times w * Z.max (most w - weighed_of w P) 0) by lia.
    apply Z.mul_le_mono_nonneg_l; [exact Hw0 |]. specialize (Hw S Hsol). rewrite weighed_of_weighed.
    pose proof (weighed_split w (among P) S) as Hs. fold T in Hs.
    enough (weighed w P <= weighed w (filter (among P) S)) by lia.
    apply weighed_incl; [exact Hparts | exact HndP |]. intros x Hx. apply filter_In. split; [apply Hincl; exact Hx | apply among_In; exact Hx]. }
  assert (q * (wanted pb - Z.of_nat (length P)) <= q * Z.of_nat (length T)) by (apply Z.mul_le_mono_nonneg_l; assumption).
  lia.
Qed.

(** ** Orbits *)

(** A permutation of the places and its inverse. A sound one preserves every attack and the list. *)
Record automorphism := { image : table Z; preimage : table Z }.

Definition im (g : automorphism) (x : Z) : Z := get (-1) (image g) x.
Definition pre (g : automorphism) (x : Z) : Z := get (-1) (preimage g) x.

Definition sound_automorphism (g : automorphism) : Prop :=
  (forall x, place x -> place (im g x) /\ place (pre g x) /\ pre g (im g x) = x /\ im g (pre g x) = x) /\
  (forall x y, place x -> place y -> mem (adj x) y = true -> mem (adj (im g x)) (im g y) = true) /\
  forall l, In l (sets (listed pb)) -> exists l', In l' (sets (listed pb)) /\ same_set l' (map (im g) l).

Definition automorphismb (neighbours : table (list Z)) (all : list Z) (g : automorphism) : bool :=
  forallb (fun x =>
    placeb (im g x) && placeb (pre g x) && (pre g (im g x) =? x) && (im g (pre g x) =? x) &&
    forallb (fun y => mem (adj (im g x)) (im g y)) (get [] neighbours x)) all &&
  forallb (fun l => is_listed (listed pb) (map (im g) l)) (sets (listed pb)).

Lemma placeb_place : forall x, placeb x = true <-> place x.
Proof. intro x. unfold placeb, place. rewrite andb_true_iff, Z.leb_le, Z.ltb_lt. reflexivity. Qed.

Lemma automorphismb_sound : forall neighbours all g, sound_listing ->
  (forall x, place x -> In x all) ->
  (forall x y, place x -> place y -> mem (adj x) y = true -> In y (get [] neighbours x)) ->
  automorphismb neighbours all g = true -> sound_automorphism g.
Proof.
  intros neighbours all g [Hplaces Hw] Hall Hn H. unfold automorphismb in H. apply andb_prop in H. destruct H as [H Hl].
  rewrite forallb_forall in H. rewrite forallb_forall in Hl.
  assert (forall x, place x -> (placeb (im g x) = true /\ placeb (pre g x) = true /\ pre g (im g x) = x /\ im g (pre g x) = x) /\
            forallb (fun y => mem (adj (im g x)) (im g y)) (get [] neighbours x) = true) as G.
  { intros x Hx. specialize (H x (Hall x Hx)). rewrite !andb_true_iff, !Z.eqb_eq in H. tauto. }
  split; [| split].
  - intros x Hx. destruct (G x Hx) as [(H1 & H2 & H3 & H4) _]. rewrite placeb_place in H1, H2. auto.
  - intros x y Hx Hy Ha. destruct (G x Hx) as [_ Hf]. rewrite forallb_forall in Hf. apply Hf. apply Hn; assumption.
  - intros l Hin. apply Hw; [| apply Hl; exact Hin]. apply Forall_forall. intros y Hy. apply in_map_iff in Hy.
    destruct Hy as (x & <- & Hx). specialize (Hplaces l Hin). rewrite Forall_forall in Hplaces.
    destruct (G x (Hplaces x Hx)) as [(H1 & _) _]. apply placeb_place. exact H1.
Qed.

Definition keeps (g : automorphism) (P free : list Z) (F : Z) : bool :=
  forallb (fun x => among P (im g x) && among P (pre g x)) P && forallb (fun x => mem F (pre g x)) free.

(** Returns [true] if each part with an assumption is mapped to a part with at least the same assumption. *)
Definition keeps_assumed (g : automorphism) : bool :=
  forallb (fun '(R, m) =>
    existsb (fun '(R', m') => (m <=? m') && forallb (fun x => eqb (mem R x) (mem R' (im g x))) (count_up (size pb) 0))
      (assumed pb)) (assumed pb).

Inductive orbit_outcome :=
  | Orbit (p : progress)
  | Moved
  | OrbitNotFree.

Definition orbit_step (v : Z) (symmetries : list automorphism) (P : list Z) (F : Z) (stack : list frame) : orbit_outcome :=
  if placeb v && mem F v then
    match members (S (size pb)) F [] with
    | Some free =>
        if forallb (fun g => keeps g P free F && keeps_assumed g) symmetries then
          let orbit := v :: map (fun g => im g v) symmetries in
          Orbit (At (v :: P) (Z.ldiff (Z.clearbit F v) (adj v)) (Again P (fold_left Z.clearbit orbit F) :: stack))
        else Moved
    | None => Moved
    end
  else OrbitNotFree.

Lemma fold_clearbit : forall l F x, mem (fold_left Z.clearbit l F) x = mem F x && negb (among l x).
Proof.
  induction l as [| y l IH]; intros F x; simpl; [rewrite andb_true_r; reflexivity |].
  rewrite IH, Z.clearbit_eqb, Z.eqb_sym. destruct (mem F x), (x =? y), (among l x); reflexivity.
Qed.

Lemma NoDup_map_on : forall (f : Z -> Z) l, NoDup l ->
  (forall x y, In x l -> In y l -> f x = f y -> x = y) -> NoDup (map f l).
Proof.
  intros f l Hnd. induction Hnd as [| x l Hx Hnd IH]; intro Hf; simpl; [constructor |]. constructor.
  - intro Hin. apply in_map_iff in Hin. destruct Hin as (y & Hy & Hyl).
    rewrite (Hf y x (or_intror Hyl) (or_introl eq_refl) Hy) in Hyl. contradiction.
  - apply IH. intros a b Ha Hb. apply Hf; right; assumption.
Qed.

Lemma count_map : forall A B (f : B -> bool) (g : A -> bool) (h : A -> B) S, (forall x, In x S -> g x = f (h x)) ->
  count g S = count f (map h S).
Proof.
  intros A B f g h S H. induction S as [| x S IH]; [reflexivity |]. simpl map. rewrite !count_cons, IH.
  - rewrite (H x (or_introl eq_refl)). reflexivity.
  - intros y Hy. apply H. right. exact Hy.
Qed.

(** The inverse of a symmetry maps solutions to solutions. *)
Lemma moved_solution : forall g S, sound_automorphism g -> keeps_assumed g = true -> solution S ->
  solution (map (pre g) S).
Proof.
  intros g S (Hg & Hadj & Hlist) Hkeep (Hnd & Hpl & Hat & Hk & Has & Hun). rewrite Forall_forall in Hpl.
  split; [| split; [| split; [| split; [| split]]]].
  - apply NoDup_map_on; [exact Hnd |]. intros x y Hx Hy E.
    destruct (Hg x (Hpl x Hx)) as (_ & _ & _ & <-). destruct (Hg y (Hpl y Hy)) as (_ & _ & _ & <-). congruence.
  - apply Forall_forall. intros y Hy. apply in_map_iff in Hy. destruct Hy as (x & <- & Hx). apply Hg. auto.
  - intros a b Ha Hb. apply in_map_iff in Ha. apply in_map_iff in Hb.
    destruct Ha as (x & <- & Hx). destruct Hb as (y & <- & Hy).
    destruct (Hg x (Hpl x Hx)) as (_ & Hpx & _ & Ex). destruct (Hg y (Hpl y Hy)) as (_ & Hpy & _ & Ey).
    destruct (mem (adj (pre g x)) (pre g y)) eqn:E; [| reflexivity].
    apply Hadj in E; try assumption. rewrite Ex, Ey, Hat in E by assumption. discriminate.
  - rewrite map_length. exact Hk.
  - intros R m HR. unfold keeps_assumed in Hkeep. rewrite forallb_forall in Hkeep. specialize (Hkeep (R, m) HR). simpl in Hkeep.
    apply existsb_exists in Hkeep. destruct Hkeep as ([R' m'] & HR' & Hkeep). apply andb_prop in Hkeep.
    destruct Hkeep as [Hm Hsame]. apply Z.leb_le in Hm. rewrite forallb_forall in Hsame.
    rewrite <- (count_map _ _ (mem R) (mem R')); [specialize (Has R' m' HR'); lia |].
    intros x Hx. destruct (Hg x (Hpl x Hx)) as (_ & Hpx & _ & Ex).
    specialize (Hsame (pre g x)). rewrite Ex in Hsame. symmetry. apply eqb_prop, Hsame.
    apply in_count_up. destruct Hpx. lia.
  - intros l Hl Hsame. destruct (Hlist l Hl) as (l' & Hl' & Hsame'). apply (Hun l' Hl'). intro x. rewrite (Hsame' x), in_map_iff. split.
    + intros (y & <- & Hy). apply Hsame in Hy. apply in_map_iff in Hy. destruct Hy as (z & <- & Hz).
      destruct (Hg z (Hpl z Hz)) as (_ & _ & _ & ->). exact Hz.
    + intro Hx. exists (pre g x). split; [apply (Hg x (Hpl x Hx)) |]. apply Hsame. apply in_map. exact Hx.
Qed.

Lemma orbit_moves : forall g P F S free v, sound_automorphism g -> alive P F S ->
  keeps g P free F && keeps_assumed g = true ->
  (forall x, mem F x = true -> In x free) -> place v -> In (im g v) S -> exists S', alive P F S' /\ In v S'.
Proof.
  intros g P F S free v Hs (Hsol & Hincl & Hfree) Hkeep Hmem Hv HvS.
  apply andb_prop in Hkeep. destruct Hkeep as [Hkeep Has]. unfold keeps in Hkeep. apply andb_prop in Hkeep.
  destruct Hkeep as [HP HF]. rewrite forallb_forall in HP. rewrite forallb_forall in HF.
  pose proof Hs as (Hg & _). pose proof Hsol as (_ & Hpl & _). rewrite Forall_forall in Hpl.
  exists (map (pre g) S). split; [split; [apply moved_solution; assumption | split] |].
  - intros x Hx. apply in_map_iff. exists (im g x). specialize (HP x Hx). apply andb_prop in HP.
    destruct HP as [HP _]. apply among_In in HP. split; [| apply Hincl; exact HP]. apply Hg. apply Hpl, Hincl, Hx.
  - intros y Hy. apply in_map_iff in Hy. destruct Hy as (x & <- & Hx). destruct (Hfree x Hx) as [HxP | HxF].
    + left. specialize (HP x HxP). apply andb_prop in HP. apply among_In. tauto.
    + right. apply HF, Hmem, HxF.
  - apply in_map_iff. exists (im g v). split; [apply Hg; exact Hv | exact HvS].
Qed.

Lemma orbit_sound : forall v symmetries P F stack p, Forall sound_automorphism symmetries -> invariant (At P F stack) ->
  orbit_step v symmetries P F stack = Orbit p -> invariant p.
Proof.
  intros v symmetries P F stack p Hg (Hn & Hs & Ho) H. unfold orbit_step in H.
  destruct (placeb v) eqn:Hpv; cbn [andb] in H; [| discriminate]. apply placeb_place in Hpv.
  destruct (mem F v) eqn:Hv; [| discriminate].
  destruct (members (S (size pb)) F []) as [free |] eqn:E; [| discriminate].
  destruct (forallb _ symmetries) eqn:Ek; [| discriminate]. rewrite forallb_forall in Ek. rewrite Forall_forall in Hg.
  set (orbit := v :: map (fun g => im g v) symmetries) in *.
  assert (p = At (v :: P) (Z.ldiff (Z.clearbit F v) (adj v)) (Again P (fold_left Z.clearbit orbit F) :: stack)) as -> by congruence.
  clear H.
  destruct Hn as [Hnd Hd]. split; [| split].
  - split.
    + constructor; [| exact Hnd]. intro Hin. rewrite (Hd v Hin) in Hv. discriminate.
    + intros x [<- | Hx]; rewrite Z.ldiff_spec, Z.clearbit_eqb.
      * rewrite Z.eqb_refl, andb_false_r. reflexivity.
      * rewrite (Hd x Hx). reflexivity.
  - constructor; [| exact Hs]. split; [exact Hnd |]. intros x Hx. rewrite fold_clearbit, (Hd x Hx). reflexivity.
  - intro Hsome. destruct (Ho Hsome) as [(S & HS) | Hrest]; [| right; right; exact Hrest].
    assert ((exists S', alive P F S' /\ In v S') \/ (forall x, In x orbit -> ~ In x S)) as [(S' & HS' & HvS') | Hnone].
    { destruct (existsb (among S) orbit) eqn:Eo.
      - left. apply existsb_exists in Eo. destruct Eo as (x & Hx & HxS). apply among_In in HxS.
        destruct Hx as [<- | Hx]; [exists S; auto |]. apply in_map_iff in Hx. destruct Hx as (g & <- & Hgs).
        apply (orbit_moves g P F S free v); auto.
        intros y Hy. apply (members_all _ _ _ _ E). right. exact Hy.
      - right. intros x Hx HxS. assert (existsb (among S) orbit = true) as Hc; [| rewrite Hc in Eo; discriminate].
        apply existsb_exists. exists x. split; [exact Hx | apply among_In; exact HxS]. }
    + left. exists S'. destruct HS' as (Hsol & Hincl & Hfree). split; [exact Hsol | split].
      * intros x [<- | Hx]; auto.
      * intros x Hx. destruct (Z.eq_dec v x) as [<- | Hne]; [left; left; reflexivity |].
        destruct (Hfree x Hx) as [HP | HF]; [left; right; exact HP |]. right.
        rewrite Z.ldiff_spec, Z.clearbit_eqb, HF. destruct (Z.eqb_spec v x); [contradiction |]. simpl.
        destruct Hsol as (_ & _ & Hat & _). rewrite Hat; auto.
    + right. left. exists S. destruct HS as (Hsol & Hincl & Hfree). split; [exact Hsol | split; [exact Hincl |]].
      intros x Hx. destruct (Hfree x Hx) as [HP | HF]; [left; exact HP |]. right. rewrite fold_clearbit, HF.
      destruct (among orbit x) eqn:Ea; [| reflexivity]. apply among_In in Ea. destruct (Hnone x Ea Hx).
Qed.

(** ** The root *)

Lemma root_invariant : forall full, (forall x, place x -> mem full x = true) -> invariant (At [] full []).
Proof.
  intros full Hf. split; [split; [constructor | intros x []] | split; [constructor |]].
  intros (S & HS). left. exists S. split; [exact HS | split; [intros x [] |]].
  intros x Hx. right. apply Hf. destruct HS as (_ & Hpl & _). rewrite Forall_forall in Hpl. auto.
Qed.

End Tree.
