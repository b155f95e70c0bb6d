(** Definitions for the theorems: boards that are boxes, the pieces on them, attack, and independent sets. *)

From Coq Require Export List ZArith Bool Lia Permutation.
Export ListNotations.
#[global] Open Scope Z_scope.

Inductive piece := Queen | Rook | Bishop.

(** A square has one coordinate for each axis. *)
Definition square := list Z.

(** The squares of the box with sides [n_1, ..., n_d]: [0 <= x_i < n_i]. *)
Definition on_board (sides : list Z) (x : square) : Prop :=
  Forall2 (fun n c => 0 <= c < n) sides x.

(** The entries of a direction are -1, 0 and 1. A queen moves along one or more axes at once, a rook along
    one, a bishop along two or more. *)
Definition nonzeros (v : list Z) : nat := length (filter (fun e => negb (e =? 0)) v).

Definition direction (p : piece) (v : list Z) : Prop :=
  Forall (fun e => e = -1 \/ e = 0 \/ e = 1) v /\
  match p with
  | Queen => (nonzeros v >= 1)%nat
  | Rook => nonzeros v = 1%nat
  | Bishop => (nonzeros v >= 2)%nat
  end.

(** [y = x + m v]. *)
Definition moved (m : Z) (v x y : list Z) : Prop :=
  length v = length x /\ y = map (fun '(e, c) => c + m * e) (combine v x).

(** The difference of the squares is [m] times a direction, with [m >= 1]. *)
Definition attacks (p : piece) (x y : square) : Prop :=
  exists m v, m >= 1 /\ direction p v /\ moved m v x y.

(** Distinct squares of the board such that no two attack each other. *)
Definition independent (p : piece) (sides : list Z) (S : list square) : Prop :=
  NoDup S /\ Forall (on_board sides) S /\ forall x y, In x S -> In y S -> ~ attacks p x y.

(** Upper bounds of the independence number of the board, lower bounds, and the number itself. *)
Definition at_most (p : piece) (sides : list Z) (k : Z) : Prop :=
  forall S, independent p sides S -> Z.of_nat (length S) <= k.

Definition at_least (p : piece) (sides : list Z) (k : Z) : Prop :=
  exists S, independent p sides S /\ Z.of_nat (length S) = k.

Definition alpha_is (p : piece) (sides : list Z) (k : Z) : Prop :=
  at_least p sides k /\ at_most p sides k.

(** There are exactly [n] independent sets of [k] squares: a list contains all of them, and contains no set
    twice, not even in another order. *)
Definition number_of_sets (p : piece) (sides : list Z) (k n : Z) : Prop :=
  exists L : list (list square),
    Z.of_nat (length L) = n /\
    (forall S, In S L -> independent p sides S /\ Z.of_nat (length S) = k) /\
    (forall i j A B, nth_error L i = Some A -> nth_error L j = Some B -> Permutation A B -> i = j) /\
    (forall S, independent p sides S -> Z.of_nat (length S) = k -> exists A, In A L /\ Permutation S A).

(** A square of the board with all sides 3 represents a face of the cube with vertices in {0, 1}^d: along each
    axis the face is fixed at 0 if the coordinate is 0, fixed at 1 if it is 2, and free if it is 1. *)
Definition vertex_of (x : square) (v : list Z) : Prop :=
  Forall2 (fun c b => (b = 0 \/ b = 1) /\ (c = 1 \/ c = 2 * b)) x v.

Definition faces_meet (x y : square) : Prop := exists v, vertex_of x v /\ vertex_of y v.

Definition free_axes (x : square) : list bool := map (fun c => c =? 1) x.

(** Bound on the number of disjoint faces with different free axes. There are [choose d j] sets of [j] free
    axes, and a face with [j] free axes has [2^j] of the [2^d] vertices. The bound takes faces with 0, 1, ...
    free axes in this order, as many of each kind as there are sets of free axes, or as fit into the remaining
    vertices. *)
Fixpoint choose (n k : nat) : Z :=
  match n, k with
  | _, O => 1
  | O, S _ => 0
  | S n', S k' => choose n' k' + choose n' k
  end.

Fixpoint fill (j : nat) (faces : list Z) (vertices : Z) : Z :=
  match faces with
  | [] => 0
  | n :: faces' =>
      let k := Z.min n (vertices / 2 ^ Z.of_nat j) in
      k + fill (S j) faces' (vertices - 2 ^ Z.of_nat j * k)
  end.

Definition faces_bound (d : nat) : Z := fill 0 (map (choose d) (seq 0 (S d))) (2 ^ Z.of_nat d).
