(** Text, byte by byte: words, numbers, names of boards. Nothing is proved here; the checks that use a text
    define its meaning. *)

From NDQ Require Import Definitions.
From Coq Require Import Ascii String.

(** Bytes of a word of the format. *)
Fixpoint bytes (s : string) : list Z :=
  match s with
  | EmptyString => []
  | String c s' => Z.of_N (N_of_ascii c) :: bytes s'
  end.

Definition blank : Z := 32.
Definition comma : Z := 44.
Definition minus : Z := 45.
Definition full_stop : Z := 46.
Definition slash : Z := 47.
Definition star : Z := 42.
Definition equals : Z := 61.
Definition colon : Z := 58.
Definition letter_x : Z := 120.
Definition caret : Z := 94.
Definition plus : Z := 43.
Definition line_feed : Z := 10.
Definition number_sign : Z := 35.
Definition zero_digit : Z := 48.
Definition one_digit : Z := 49.
Definition nine_digit : Z := 57.
Definition small_a : Z := 97.
Definition small_z : Z := 122.
Definition capital_a : Z := 65.
Definition capital_z : Z := 90.
Definition letters : Z := 26.
Definition ten : Z := 10.
Definition after_tilde : Z := 127.

Fixpoint same (a b : list Z) : bool :=
  match a, b with
  | [], [] => true
  | x :: a', y :: b' => (x =? y) && same a' b'
  | _, _ => false
  end.

(** Returns the rest of a list after a given beginning. *)
Fixpoint after (beginning l : list Z) : option (list Z) :=
  match beginning, l with
  | [], _ => Some l
  | x :: b', y :: l' => if x =? y then after b' l' else None
  | _, [] => None
  end.

Fixpoint split_at (separator : Z) (l word : list Z) (words : list (list Z)) : list (list Z) :=
  match l with
  | [] => rev' (rev' word :: words)
  | c :: l' =>
      if c =? separator then split_at separator l' [] (rev' word :: words)
      else split_at separator l' (c :: word) words
  end.

Definition split (separator : Z) (l : list Z) : list (list Z) := split_at separator l [] [].

(** Applies a function to all entries. Returns [None] if one of the results is [None]. *)
Fixpoint all_of {A B} (f : A -> option B) (l : list A) (acc : list B) : option (list B) :=
  match l with
  | [] => Some (rev' acc)
  | a :: l' =>
      match f a with
      | Some b => all_of f l' (b :: acc)
      | None => None
      end
  end.

Lemma all_of_Forall : forall A B (f : A -> option B) (Q : B -> Prop) l acc r,
  (forall a b, f a = Some b -> Q b) -> Forall Q acc -> all_of f l acc = Some r -> Forall Q r.
Proof.
  intros A B f Q l. induction l as [| a l IH]; intros acc r Hf Hacc; simpl.
  - intros [= <-]. unfold rev'. rewrite <- rev_alt. apply Forall_rev. exact Hacc.
  - destruct (f a) as [b |] eqn:E; [| discriminate]. apply IH; [exact Hf |]. constructor; [apply (Hf a); exact E | exact Hacc].
Qed.

(** Returns [true] if all bytes are printable. [spaced] tests that words are separated by one blank. *)
Definition printable (l : list Z) : bool := forallb (fun c => (blank <=? c) && (c <? after_tilde)) l.

Fixpoint spaced (blank_before : bool) (l : list Z) : bool :=
  match l with
  | [] => negb blank_before
  | c :: l' => if c =? blank then if blank_before then false else spaced true l' else spaced false l'
  end.

Definition digit (c : Z) : bool := (zero_digit <=? c) && (c <=? nine_digit).

Definition most_number : Z := Eval compute in 2 ^ 64 - 1.

Fixpoint digits (w : list Z) (n : Z) : option Z :=
  if most_number <? n then None else
  match w with
  | [] => Some n
  | c :: w' => if digit c then digits w' (ten * n + (c - zero_digit)) else None
  end.

(** Parses a number in decimal digits, without leading zeros. *)
Definition number (w : list Z) : option Z :=
  match w with
  | [] => None
  | [c] => digits w 0
  | c :: _ => if c =? zero_digit then None else digits w 0
  end.

Definition positive_number (w : list Z) : option Z :=
  match number w with
  | Some n => if (0 <? n) && (n <? 4294967296) then Some n else None
  | None => None
  end.

Definition most_axes : Z := 20.
Definition longest_side : Z := Eval compute in 2 ^ 24.
Definition most_squares : Z := Eval compute in 2 ^ 31.

Definition not_too_large (sides : list Z) : bool :=
  (Z.of_nat (List.length sides) <=? most_axes) && forallb (fun n => n <=? longest_side) sides &&
  (fold_left Z.mul sides 1 <=? most_squares).

(** Parses the sides [n^d] or [axbx...]. Names of boards have [rook:] or [bishop:] before them, or nothing for
    queens. *)
Definition sides_named (w : list Z) : option (list Z) :=
  match split caret w with
  | [n; d] =>
      match positive_number n, positive_number d with
      | Some n', Some d' => if d' <=? most_axes then Some (repeat n' (Z.to_nat d')) else None
      | _, _ => None
      end
  | _ =>
      match split letter_x w with
      | _ :: _ :: _ => all_of positive_number (split letter_x w) []
      | _ => None
      end
  end.

Definition rook_word := Eval compute in bytes "rook:".
Definition bishop_word := Eval compute in bytes "bishop:".
Definition queen_word := Eval compute in bytes "queen:".

Definition board_named (w : list Z) : option (piece * list Z) :=
  let with_piece p w' :=
    match sides_named w' with
    | Some s => if not_too_large s then Some (p, s) else None
    | None => None
    end in
  match after rook_word w with
  | Some w' => with_piece Rook w'
  | None =>
      match after bishop_word w with
      | Some w' => with_piece Bishop w'
      | None =>
          match after queen_word w with
          | Some w' => with_piece Queen w'
          | None => with_piece Queen w
          end
      end
  end.

(** Words of proofs. *)
Definition w_header := Eval compute in bytes "ndqueens proof 2".
Definition w_header_of_rows := Eval compute in bytes "ndqueens proof 3".
Definition w_board := Eval compute in bytes "board ".
Definition w_box := Eval compute in bytes "box".
Definition w_lines := Eval compute in bytes "lines".
Definition w_cut := Eval compute in bytes "cut".
Definition w_search := Eval compute in bytes "search".
Definition w_order := Eval compute in bytes "order".
Definition w_lexicographic := Eval compute in bytes "lexicographic".
Definition w_morton := Eval compute in bytes "morton".
Definition w_slab := Eval compute in bytes "slab".
Definition w_solutions := Eval compute in bytes "solutions".
Definition w_solution := Eval compute in bytes "solution".
Definition w_count := Eval compute in bytes "count".
Definition w_layers := Eval compute in bytes "layers".
Definition w_part := Eval compute in bytes "part".
Definition w_mirrored := Eval compute in bytes "mirrored".
Definition w_nodes := Eval compute in bytes "nodes ".
Definition w_cover := Eval compute in bytes "cover".
Definition w_sum := Eval compute in bytes "sum".
Definition w_orbit := Eval compute in bytes "orbit".
Definition w_at := Eval compute in bytes "at".
Definition w_most := Eval compute in bytes "most".
Definition w_end := Eval compute in bytes "end".

(** Words of certificates. *)
Definition w_certificate := Eval compute in bytes "ndqueens certificate 1".
Definition w_board_is := Eval compute in bytes "board: ".
Definition w_problem_is := Eval compute in bytes "problem: independent set".
Definition w_size_is := Eval compute in bytes "size: ".
Definition w_origin_is := Eval compute in bytes "origin: ".

(** Words of bounds. *)
Definition w_bound := Eval compute in bytes "ndqueens bound 1".
Definition w_bound_with_cases := Eval compute in bytes "ndqueens bound 2".
Definition w_bound_with_faces := Eval compute in bytes "ndqueens bound 3".
Definition w_bound_with_weights := Eval compute in bytes "ndqueens bound 4".
Definition w_split := Eval compute in bytes "split".
Definition w_least := Eval compute in bytes "least".
Definition w_case := Eval compute in bytes "case".
Definition w_needs := Eval compute in bytes "needs".
Definition w_clique := Eval compute in bytes "clique".
Definition w_volume := Eval compute in bytes "volume".
Definition w_class := Eval compute in bytes "class".
Definition w_weighted := Eval compute in bytes "weighted".
Definition w_cycle := Eval compute in bytes "cycle".
