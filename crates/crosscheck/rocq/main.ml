(* Reads a file, passes its bytes to the verified checker in checker.ml, and prints the verdict. checker.ml is
   extracted from the proofs in this folder. *)

module Big = Z
module Lists = List
open Checker

let version = "ndqueens-verified 1.7"

let words = function
  | NotHeader -> "a proof must begin with \"ndqueens proof 2\" or \"ndqueens proof 3\""
  | NotBoard -> "expected \"board ...\" with a plain box of queens, rooks or bishops; the verified checker accepts no other boards"
  | NotPlain -> "the line contains a character that is not printable ASCII"
  | NotSpaced -> "words must be separated by one blank, and a line must not begin or end with a blank"
  | LineTooLong -> "the line is longer than 2^28 bytes"
  | NotTop -> "expected \"box ...\", \"solutions ...\", \"at most ...\" or \"count ...\""
  | NotBox -> "expected \"lines\", \"cut axis width\" or \"search\" after the bound"
  | NotSides -> "the sides are not those of a box that fits on the board"
  | NotSorted -> "sides must be in increasing order"
  | NotBound -> "the bound is not a number"
  | ShownMore -> "the step proves a weaker bound than stated"
  | NoLines -> "the lines of the box do not prove the bound"
  | NoCut -> "the cut does not exist"
  | NoLemma -> "a bound that this step needs has not been proved"
  | NotOrder -> "expected \"order lexicographic\" or \"order morton\""
  | BoardTooLarge -> "the box has more than 4096 squares"
  | NumberTooLarge -> "a number exceeds 64 bits"
  | NotSlab -> "expected \"slab axis from-to demand\""
  | SlabNotAtFace -> "a slab must lie at a face of the box"
  | SlabDemandTooLarge -> "the slab need not hold as many pieces as stated"
  | ListTooLarge -> "the lists have more than 2^26 squares in all"
  | NotSolution -> "expected \"solution ...\""
  | SolutionSize -> "the number of squares of a solution differs from the size of the list"
  | NotIndependent -> "two squares of a solution attack each other"
  | SolutionsNotSorted -> "the squares of a solution, and the solutions, must be in increasing order"
  | NotListed -> "the squares placed are not a solution of the list"
  | CountNotShown -> "the proof does not show this number of sets of this size"
  | NotLayers -> "expected \"layers axis / from-to demand ...\", possibly with \"mirrored\" after the axis; a range must not be the whole axis"
  | NotMirrored -> "the reflection of the axis does not preserve the assumptions"
  | NotSplit -> "some numbers of pieces in the layers satisfy no case"
  | TooManySteps -> "the case splits of the file have more than 2^24 steps"
  | NotPart -> "expected \"part region axis from-to demand\" with the number of an existing region"
  | PartOutside -> "the region does not contain these layers"
  | PartDemandTooLarge -> "the part need not hold as many pieces as stated"
  | NotNode -> "a node is a line of \"nodes\", \"cover\", \"sum\" or \"orbit\""
  | NoRegionLetter -> "expected a region"
  | RegionSatisfied -> "the demand of the region is satisfied, or there are too many cliques"
  | NotCovered -> "a free square is neither covered nor the square of a child"
  | ChildNotFree -> "the square of a child is not free"
  | TreeGoesOn -> "the tree ends here, and is not finished"
  | TreeEnds -> "the tree has no more nodes"
  | NotSquare -> "the square does not exist"
  | NotClique -> "the squares of a clique do not attack each other"
  | NotRow -> "a row is a multiplier with a clique, with a box whose bound has been proved or, in format 3, with another inequality of the format"
  | NotLess -> "the rows allow as many pieces as the region demands"
  | NoSlash -> "the squares of the children must follow a slash"
  | NotAutomorphism -> "a symmetry is not a permutation that preserves all attacks and the listed solutions"
  | OrbitMoves -> "a symmetry does not preserve the free squares, the pieces placed or the assumptions"
  | OrbitSquare -> "the square is not free"
  | NotShown -> "the proof does not show this bound"
  | NotEnd -> "the proof must end with the line \"end\" here"
  | AfterEnd -> "the proof must end with the line \"end\""

let bound_words = function
  | BoundHeader -> "a bound must begin with \"ndqueens bound \" and the number of a format from 1 to 4"
  | BoundBoard -> "expected \"board ...\" with a plain box of queens, rooks or bishops"
  | BoundOrder -> "the sides of the board must be in increasing order"
  | BoundLarge -> "the board has too many squares for the check of its orbits"
  | BoundPlain -> "the line contains a character that is not printable ASCII"
  | BoundSpaced -> "words must be separated by one blank, and a line must not begin or end with a blank"
  | BoundLong -> "the line is longer than 2^28 bytes"
  | BoundKind -> "expected \"needs ...\", \"clique ...\", \"box ...\", \"at most ...\", or another line of the format"
  | BoundNeed -> "a needed bound must be about a plain box of the same piece"
  | BoundTwice -> "the bound of this box is listed twice"
  | BoundMultiplier -> "the multiplier must be a nonnegative fraction, such as 2/3"
  | BoundSquare -> "the square is not on the board"
  | BoundClique -> "two squares do not attack each other"
  | BoundNumbers -> "the number is not allowed here"
  | BoundOutside -> "the box is not on the board"
  | BoundItself -> "the box is the board itself"
  | BoundSquares -> "the box has too many squares"
  | BoundNothing -> "the bound of the box is neither proved nor listed as needed"
  | BoundQueens -> "this line is valid only for queens"
  | BoundThrees -> "each side of this box must be 1 or 3"
  | BoundWeights -> "no known inequality for boxes of these sides has these weights and this right-hand side"
  | BoundDenominator -> "the common denominator of the multipliers has more than 16384 binary digits"
  | BoundCounted -> "a square and its images are counted less than once"
  | BoundMore -> "the sum of the right-hand sides is larger than the bound"
  | BoundSplit -> "a case split must come before the inequalities of the case, with fewer queens than the square has images"
  | BoundAssumed -> "the case assumes no such bound for the square and its images"
  | BoundOpen -> "not all cases are bounded"
  | BoundDone -> "all cases are bounded; expected \"at most ...\""
  | BoundEnd -> "the bound must end with the line \"end\" here"
  | BoundAfter -> "the bound must end with the line \"end\""
  | BoundWeighted -> "expected squares of the board with positive weights, such as 0,1:2"
  | BoundRepeated -> "a square is listed twice"
  | BoundMany -> "the line has more than 1024 squares, or their weights add up to 2^64 or more"
  | BoundHeavier -> "the weights of an independent set add up to more than the right-hand side"
  | BoundNodes -> "the searches of the lines \"weighted\" up to this one have more than 2^26 nodes"

let piece = function Queen -> "queen" | Rook -> "rook" | Bishop -> "bishop"
let sides l = String.concat "x" (Lists.map Big.to_string l)

let refuse line fault =
  Printf.printf "refused: line %s: %s\n" (Big.to_string line) fault;
  exit 1

(* Reports that a limit was reached. The file may be valid or not. *)
let leave line fault =
  Printf.printf "not checked: line %s: %s\n" (Big.to_string line) fault;
  exit 3

let is_limit = function
  | LineTooLong | BoardTooLarge | NumberTooLarge | ListTooLarge | TooManySteps -> true
  | _ -> false
let is_bound_limit = function
  | BoundLong | BoundLarge | BoundSquares | BoundDenominator | BoundMany | BoundNodes -> true
  | _ -> false

let buffer = Bytes.create 65536

(* Beginning of the line that the checker read last. Only lines with long numbers exceed the length. *)
let longest = 1 lsl 20
let last_line = Buffer.create 256

(* Folds [feed] over the bytes of a file until [enough] is true at the end of a line. *)
let rec fold file feed enough state =
  match input file buffer 0 (Bytes.length buffer) with
  | 0 -> state
  | read ->
      let state = ref state and place = ref 0 and is_enough = ref false in
      while !place < read && not !is_enough do
        let byte = Bytes.unsafe_get buffer !place in
        incr place;
        if Buffer.length last_line < longest then Buffer.add_char last_line byte;
        state := feed !state (Big.of_int (Char.code byte));
        if byte = '\n' then
          if enough !state then is_enough := true else Buffer.clear last_line
      done;
      if !is_enough || enough !state then !state else fold file feed enough !state

(* Returns true if a word is a number in decimal digits without leading zeros. *)
let is_number word =
  let is_digit c = c >= '0' && c <= '9' in
  word <> "" && (word = "0" || word.[0] <> '0') && String.for_all is_digit word

let most = Big.shift_left Big.one 64
let is_large word = String.length word >= 20 && is_number word && Big.geq (Big.of_string word) most

(* Splits a word at signs between numbers. *)
let parts word = String.split_on_char ',' (String.map (fun c -> if String.contains "x/:^*-=" c then ',' else c) word)

(* Returns true if the last line contains a number beyond the limits. Such a line was not checked. A multiplier of
   a bound, which is the second word of its line, may have more digits. *)
let has_large_number has_multiplier =
  let words = String.split_on_char ' ' (String.trim (Buffer.contents last_line)) in
  let with_multiplier = [ "clique"; "box"; "volume"; "class"; "weighted"; "most"; "least" ] in
  let multipliers = has_multiplier && Lists.mem (Lists.hd words) with_multiplier in
  let too_large place word =
    let numbers = parts word in
    if multipliers && place = 1 then Lists.exists (fun n -> String.length n > 10000 && is_number n) numbers
    else Lists.exists is_large numbers
  in
  Lists.exists (fun (place, word) -> too_large place word) (Lists.mapi (fun place word -> (place, word)) words)

let proof file =
  let failed r = match r.reached.now with Failed _ -> true | _ -> false in
  let r = fold file feed failed first_reader in
  match conclusion r with
  | Some ((p, s), claim) ->
      let what =
        match claim with
        | AtMost k -> "at most " ^ Big.to_string k
        | Exactly (k, n) -> Printf.sprintf "exactly %s sets of %s" (Big.to_string n) (Big.to_string k)
      in
      Printf.printf "accepted: %s on %s:%s; %s nodes, %s boxes%s\n" what (piece p) (sides s)
        (Big.to_string r.reached.nodes_seen) (Big.to_string r.reached.boxes_seen)
        (if no_more_fit r then "; no more fit" else "");
      Lists.iter (fun (s, k) -> Printf.printf "box %s %s\n" (sides s) (Big.to_string k)) (Lists.rev (boxes r))
  | None -> (
      match r.reached.now with
      | Failed ((TreeGoesOn | AfterEnd) as f) -> refuse (Big.pred r.lines_read) (words f)
      | Failed f -> (if is_limit f || has_large_number false then leave else refuse) r.lines_read (words f)
      | Finished _ -> refuse r.lines_read (words AfterEnd)
      | _ -> refuse (Big.succ r.lines_read) "the proof ends too early, or its last line is incomplete")

let certificate file =
  let wrong c = match c.part_of with Wrong -> true | _ -> false in
  let c = fold file feed_certificate wrong first_certificate in
  match certified c with
  | Some ((p, s), k) -> Printf.printf "accepted: at least %s on %s:%s\n" (Big.to_string k) (piece p) (sides s)
  | None -> (
      match c.part_of with
      | Wrong -> refuse c.lines_so_far "the line does not follow the format of a certificate of an independent set"
      | Squares -> refuse c.lines_so_far "two squares are equal or attack each other, or their number is not the size"
      | _ -> refuse c.lines_so_far "the certificate ends too early")

let bound file =
  let refused r = match r.summed_up.on with Refused _ -> true | _ -> false in
  let r = fold file feed_bound refused first_sums in
  match bounded r with
  | Some (((p, s), k), needs) ->
      Printf.printf "accepted: at most %s on %s:%s; %s\n" (Big.to_string k) (piece p) (sides s)
        (match Big.to_string r.summed_up.row_count with "1" -> "1 inequality" | n -> n ^ " inequalities");
      Lists.iter (fun (s, k) -> Printf.printf "needs %s %s\n" (sides s) (Big.to_string k)) (Lists.rev needs)
  | None -> (
      match r.summed_up.on with
      | Refused BoundAfter -> refuse (Big.pred r.bound_lines_read) (bound_words BoundAfter)
      | Refused f -> (if is_bound_limit f || has_large_number true then leave else refuse) r.bound_lines_read (bound_words f)
      | Accepted _ -> refuse r.bound_lines_read (bound_words BoundAfter)
      | _ -> refuse (Big.succ r.bound_lines_read) "the bound ends too early, or its last line is incomplete")

let usage () =
  prerr_endline "usage: ndqueens-verified proof|certificate|bound [FILE], or --version; without FILE it reads standard input";
  exit 2

let () =
  let check, file =
    match Array.to_list Sys.argv |> Lists.tl with
    | [ "--version" ] -> print_endline version; exit 0
    | "proof" :: file -> (proof, file)
    | "certificate" :: file -> (certificate, file)
    | "bound" :: file -> (bound, file)
    | _ -> usage ()
  in
  let check file =
    try check file
    with Stack_overflow | Out_of_memory ->
      prerr_endline "error: out of memory, or out of stack (ulimit -s)";
      exit 2
  in
  match file with
  | [] -> set_binary_mode_in stdin true; check stdin
  | [ name ] -> (
      match open_in_bin name with
      | file -> check file
      | exception Sys_error fault -> prerr_endline ("error: " ^ fault); exit 2)
  | _ -> usage ()
