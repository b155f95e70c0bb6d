(** Sums of a function over a list, and all lists of flags. *)

From NDQ Require Import Definitions.

Definition total {A} (f : A -> Z) (l : list A) : Z := fold_right (fun x s => f x + s) 0 l.

Lemma total_app : forall A (f : A -> Z) l l', total f (l ++ l') = total f l + total f l'.
Proof. intros A f l l'. induction l as [| x l IH]; simpl; [reflexivity |]. rewrite IH. lia. Qed.

Lemma total_map : forall A B (g : A -> B) f l, total f (map g l) = total (fun x => f (g x)) l.
Proof. intros A B g f l. induction l as [| x l IH]; simpl; [reflexivity |]. rewrite IH. reflexivity. Qed.

Lemma total_flat_map : forall A B (g : A -> list B) f l, total f (flat_map g l) = total (fun x => total f (g x)) l.
Proof. intros A B g f l. induction l as [| x l IH]; simpl; [reflexivity |]. rewrite total_app, IH. reflexivity. Qed.

Lemma total_ext : forall A (f g : A -> Z) l, (forall x, In x l -> f x = g x) -> total f l = total g l.
Proof.
  intros A f g l. induction l as [| x l IH]; intro H; simpl; [reflexivity |].
  rewrite (H x (or_introl eq_refl)), IH; [reflexivity |]. intros y Hy. apply H. right. exact Hy.
Qed.

Lemma total_le : forall A (f g : A -> Z) l, (forall x, In x l -> f x <= g x) -> total f l <= total g l.
Proof.
  intros A f g l. induction l as [| x l IH]; intro H; simpl; [lia |].
  pose proof (H x (or_introl eq_refl)). assert (total f l <= total g l) by (apply IH; intros; apply H; right; assumption). lia.
Qed.

Lemma total_plus : forall A (f g : A -> Z) l, total (fun x => f x + g x) l = total f l + total g l.
Proof. intros A f g l. induction l as [| x l IH]; simpl; [reflexivity |]. rewrite IH. lia. Qed.

Lemma total_times : forall A c (f : A -> Z) l, total (fun x => c * f x) l = c * total f l.
Proof. intros A c f l. induction l as [| x l IH]; simpl; [lia |]. rewrite IH. lia. Qed.

Lemma total_constant : forall A c (l : list A), total (fun _ => c) l = Z.of_nat (length l) * c.
Proof. intros A c l. induction l as [| x l IH]; [reflexivity |]. simpl total. rewrite IH. simpl length. lia. Qed.

Lemma total_swap : forall A B (f : A -> B -> Z) l l',
  total (fun x => total (f x) l') l = total (fun y => total (fun x => f x y) l) l'.
Proof.
  intros A B f l l'. induction l as [| x l IH]; simpl.
  - rewrite total_constant. lia.
  - rewrite IH, <- total_plus. reflexivity.
Qed.

Lemma total_permutation : forall A (f : A -> Z) l l', Permutation l l' -> total f l = total f l'.
Proof. intros A f l l' H. induction H; simpl; lia. Qed.

Lemma total_filter : forall A (t : A -> bool) f l, total f (filter t l) = total (fun x => if t x then f x else 0) l.
Proof. intros A t f l. induction l as [| x l IH]; simpl; [reflexivity |]. destruct (t x); simpl; rewrite IH; reflexivity. Qed.

(** Returns all lists of [d] flags. *)
Fixpoint all_flags (d : nat) : list (list bool) :=
  match d with
  | O => [[]]
  | S d' => flat_map (fun fs => [true :: fs; false :: fs]) (all_flags d')
  end.
