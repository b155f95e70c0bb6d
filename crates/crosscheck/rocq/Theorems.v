(** The theorems. Their meaning depends only on Definitions.v; the definitions of the checks need not be read.
    *)

From NDQ Require Import Definitions Proofs Certificates Faces Bounds.

(** An accepted proof file shows that at most [k] pieces fit. *)
Theorem proofs_are_sound : forall file p sides k,
  check_proof file = Some (p, sides, k) -> at_most p sides k.
Proof. exact check_proof_right. Qed.

(** The bounds of boxes that the file shows on the way hold as well. *)
Theorem boxes_are_sound : forall file p sides k s m,
  check_proof file = Some (p, sides, k) -> In (s, m) (boxes (fold_left feed file first_reader)) -> at_most p s m.
Proof. exact boxes_right. Qed.

(** An accepted certificate shows that its number of pieces fits. *)
Theorem certificates_are_sound : forall file p sides k,
  check_certificate file = Some (p, sides, k) -> at_least p sides k.
Proof. exact check_certificate_right. Qed.

(** An accepted bound by the orbit LP shows that at most [k] pieces fit, if the needed bounds hold. *)
Theorem bounds_are_sound : forall file p sides k needs,
  check_bound file = Some (p, sides, k, needs) -> (forall s m, In (s, m) needs -> at_most p s m) -> at_most p sides k.
Proof. exact check_bound_right. Qed.

(** A proof and a certificate together give the independence number. *)
Theorem both_give_alpha : forall proof certificate p sides k,
  check_proof proof = Some (p, sides, k) -> check_certificate certificate = Some (p, sides, k) -> alpha_is p sides k.
Proof.
  intros proof certificate p sides k H1 H2. split.
  - exact (certificates_are_sound certificate p sides k H2).
  - exact (proofs_are_sound proof p sides k H1).
Qed.

(** An accepted file with a count shows the number of independent sets of a size. *)
Theorem counts_are_sound : forall file p sides k n,
  check_count file = Some (p, sides, k, n) -> number_of_sets p sides k n.
Proof. exact check_count_right. Qed.

(** The bounds of boxes that the file shows on the way hold as well. *)
Theorem boxes_of_counts_are_sound : forall file p sides k n s m,
  check_count file = Some (p, sides, k, n) -> In (s, m) (boxes (fold_left feed file first_reader)) -> at_most p s m.
Proof. exact boxes_of_count_right. Qed.

(** If the file also shows a bound of the same size, these sets are the maximum ones. *)
Theorem maximum_counts_are_sound : forall file p sides k n,
  check_count file = Some (p, sides, k, n) -> no_more_fit (fold_left feed file first_reader) = true -> 1 <= n ->
  alpha_is p sides k /\ number_of_sets p sides k n.
Proof.
  intros file p sides k n H Hmost Hn. pose proof (counts_are_sound file p sides k n H) as Hcount. split; [split | exact Hcount].
  - destruct Hcount as ([| S L] & Hlen & HL & _); [simpl in Hlen; lia |].
    destruct (HL S (or_introl eq_refl)) as [HS Hk]. exists S. auto.
  - exact (no_more_fit_right file p sides k n H Hmost).
Qed.

(** On a board with all sides 3, two queens on different squares attack each other if and only if their faces
    meet or have the same free axes. *)
Theorem queens_are_faces : forall d x y,
  on_board (repeat 3 d) x -> on_board (repeat 3 d) y -> x <> y ->
  (attacks Queen x y <-> faces_meet x y \/ free_axes x = free_axes y).
Proof. exact attack_faces. Qed.

(** The number of vertices of the cube therefore bounds the number of queens. *)
Theorem faces_bound_queens : forall d, at_most Queen (repeat 3 d) (faces_bound d).
Proof. exact at_most_faces. Qed.

Print Assumptions proofs_are_sound.
Print Assumptions boxes_are_sound.
Print Assumptions certificates_are_sound.
Print Assumptions bounds_are_sound.
Print Assumptions both_give_alpha.
Print Assumptions counts_are_sound.
Print Assumptions boxes_of_counts_are_sound.
Print Assumptions maximum_counts_are_sound.
Print Assumptions queens_are_faces.
Print Assumptions faces_bound_queens.
