(** Certificates of independent sets, line by line. *)

From NDQ Require Import Definitions Boxes Text.

Definition longest_line : Z := Eval compute in 2 ^ 16.

Inductive part := Title | Board | Problem | Size | Origin | Squares | Wrong.

Record certificate := {
  part_of : part;
  piece_of : piece;
  sides_of : list Z;
  size_of : Z;
  given : list square;      (* the last square first *)
  line_so_far : list Z;     (* the last byte first *)
  line_length : Z;
  lines_so_far : Z
}.

Definition first_certificate : certificate :=
  {| part_of := Title; piece_of := Queen; sides_of := []; size_of := 0; given := []; line_so_far := []; line_length := 0; lines_so_far := 1 |}.

Definition at_part (c : certificate) (q : part) : certificate :=
  {| part_of := q; piece_of := piece_of c; sides_of := sides_of c; size_of := size_of c; given := given c;
     line_so_far := []; line_length := 0; lines_so_far := lines_so_far c |}.

Definition certificate_line (c : certificate) (line : list Z) : certificate :=
  let skipped := match line with [] => true | b :: _ => b =? number_sign end in
  match part_of c with
  | Wrong => c
  | Title => if same line w_certificate then at_part c Board else at_part c Wrong
  | _ =>
      if skipped then at_part c (part_of c) else
      match part_of c with
      | Board =>
          match after w_board_is line with
          | Some w =>
              match board_named w with
              | Some (p, s) =>
                  {| part_of := Problem; piece_of := p; sides_of := s; size_of := 0; given := []; line_so_far := []; line_length := 0;
                     lines_so_far := lines_so_far c |}
              | None => at_part c Wrong
              end
          | None => at_part c Wrong
          end
      | Problem => if same line w_problem_is then at_part c Size else at_part c Wrong
      | Size =>
          match after w_size_is line with
          | Some w =>
              match number w with
              | Some n =>
                  {| part_of := Origin; piece_of := piece_of c; sides_of := sides_of c; size_of := n; given := [];
                     line_so_far := []; line_length := 0; lines_so_far := lines_so_far c |}
              | None => at_part c Wrong
              end
          | None => at_part c Wrong
          end
      | Origin => match after w_origin_is line with Some _ => at_part c Squares | None => at_part c Wrong end
      | _ =>
          match all_of number (split blank line) [] with
          | Some x =>
              if insideb (whole (sides_of c)) x then
                {| part_of := Squares; piece_of := piece_of c; sides_of := sides_of c; size_of := size_of c;
                   given := x :: given c; line_so_far := []; line_length := 0; lines_so_far := lines_so_far c |}
              else at_part c Wrong
          | None => at_part c Wrong
          end
      end
  end.

Definition feed_certificate (c : certificate) (b : Z) : certificate :=
  if b =? line_feed then
    match part_of c with
    | Wrong => c
    | _ =>
        let c' := certificate_line c (rev' (line_so_far c)) in
        match part_of c' with
        | Wrong => c'
        | _ =>
            {| part_of := part_of c'; piece_of := piece_of c'; sides_of := sides_of c'; size_of := size_of c';
               given := given c'; line_so_far := []; line_length := 0; lines_so_far := lines_so_far c + 1 |}
        end
    end
  else if longest_line <? line_length c then at_part c Wrong
  else
    {| part_of := part_of c; piece_of := piece_of c; sides_of := sides_of c; size_of := size_of c; given := given c;
       line_so_far := b :: line_so_far c; line_length := line_length c + 1; lines_so_far := lines_so_far c |}.

Definition certified (c : certificate) : option (piece * list Z * Z) :=
  match part_of c, line_so_far c with
  | Squares, [] =>
      if (Z.of_nat (length (given c)) =? size_of c) && forallb (insideb (whole (sides_of c))) (given c) &&
         independentb (piece_of c) (given c)
      then Some (piece_of c, sides_of c, size_of c) else None
  | _, _ => None
  end.

(** Returns the result of a certificate: the board and the number of squares. *)
Definition check_certificate (file : list Z) : option (piece * list Z * Z) :=
  certified (fold_left feed_certificate file first_certificate).

Theorem check_certificate_right : forall file p sides k, check_certificate file = Some (p, sides, k) ->
  at_least p sides k.
Proof.
  intros file p sides k. unfold check_certificate, certified. set (c := fold_left _ _ _).
  destruct (part_of c); try discriminate. destruct (line_so_far c); [| discriminate].
  destruct (_ && _ && _) eqn:E; [| discriminate]. intros [= <- <- <-].
  apply andb_prop in E. destruct E as [E Hi]. apply andb_prop in E. destruct E as [Hk Hon].
  apply Z.eqb_eq in Hk. exists (given c). split; [apply independentb_right; assumption | exact Hk].
Qed.
