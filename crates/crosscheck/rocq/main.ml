(* Reads the bytes and prints the verdict; all else is checker.ml, which is extracted from the proofs in this folder. *)

module Big = Z
module Lists = List
open Checker

let version = "ndqueens-verified 1.6"

let words = function
  | NotHeader -> "a proof must begin with \"ndqueens proof 2\" or \"ndqueens proof 3\""
  | NotBoard -> "\"board ...\" with a plain box of queens, rooks or bishops should stand here; the verified checker knows no other boards"
  | NotPlain -> "the line holds a character that is not printable ASCII"
  | NotSpaced -> "words must stand one blank apart, and none at the ends of a line"
  | LineTooLong -> "the line is longer than 2^28 bytes"
  | NotTop -> "\"box ...\", \"solutions ...\", \"at most ...\" or \"count ...\" should stand here"
  | NotBox -> "a bound is shown by \"lines\", \"cut axis width\" or \"search\""
  | NotSides -> "these are not the sides of a box that fits the board"
  | NotSorted -> "sides must be in increasing order"
  | NotBound -> "the bound is not a number"
  | ShownMore -> "this step shows a weaker bound"
  | NoLines -> "lines show nothing here"
  | NoCut -> "there is no such cut"
  | NoLemma -> "no bound that this step needs has been proved"
  | NotOrder -> "\"order lexicographic\" or \"order morton\" should stand here"
  | BoardTooLarge -> "the box has more than 4096 squares"
  | NumberTooLarge -> "these numbers are too large to be reckoned with"
  | NotSlab -> "\"slab axis from-to demand\" should stand here"
  | SlabNotAtFace -> "a slab must lie at a face of the box"
  | SlabDemandTooLarge -> "the slab need not hold so many"
  | ListTooLarge -> "a list may have 2^26 squares in all, and no more"
  | NotSolution -> "\"solution ...\" should stand here"
  | SolutionSize -> "a solution has not as many squares as the list says"
  | NotIndependent -> "two squares of a solution attack each other"
  | SolutionsNotSorted -> "the squares of a solution, and the solutions, stand in increasing order"
  | NotListed -> "the squares placed are not a listed solution"
  | CountNotShown -> "the proof does not show that there are so many sets of this size"
  | NotLayers -> "cases are written \"layers axis / from-to demand ...\", or with \"mirrored\" after the axis, and no range is the whole axis"
  | NotMirrored -> "the reflection of the axis does not keep what is assumed"
  | NotSplit -> "the layers can hold numbers of pieces that are in no case"
  | TooManySteps -> "the case splits of the file have more than 2^24 steps"
  | NotPart -> "\"part region axis from-to demand\" should stand here, of a region that there is"
  | PartOutside -> "the region has no such layers"
  | PartDemandTooLarge -> "the part need not hold so many"
  | NotNode -> "a node is a line of \"nodes\", \"cover\", \"sum\" or \"orbit\""
  | NoRegionLetter -> "a region should stand here"
  | RegionSatisfied -> "the region holds what it must, or the cliques are too many"
  | NotCovered -> "a free square is not covered, and not that of a child"
  | ChildNotFree -> "the square of a child is not free"
  | TreeGoesOn -> "the tree ends here, and is not finished"
  | TreeEnds -> "the tree has no more nodes"
  | NotSquare -> "there is no such square"
  | NotClique -> "the squares of a clique do not attack each other"
  | NotRow -> "a row is a multiplier with a clique, with a box whose bound has been proved or, in format 3, with another inequality of the format"
  | NotLess -> "the rows hold as many as are asked for"
  | NoSlash -> "the squares of the children stand after a slash"
  | NotAutomorphism -> "a symmetry is not a permutation that keeps every attack and the solutions listed"
  | OrbitMoves -> "a symmetry moves the free squares, the pieces placed or what is assumed"
  | OrbitSquare -> "the square is not free"
  | NotShown -> "the proof does not show this bound"
  | NotEnd -> "the proof must end with the line \"end\" here"
  | AfterEnd -> "the proof must end with the line \"end\""

let bound_words = function
  | BoundHeader -> "a bound must begin with \"ndqueens bound 1\", \"ndqueens bound 2\" or \"ndqueens bound 3\""
  | BoundBoard -> "\"board ...\" with a plain box of queens, rooks or bishops should stand here"
  | BoundOrder -> "the sides of the board should stand in increasing order"
  | BoundLarge -> "the board is too large to be looked at orbit by orbit"
  | BoundPlain -> "the line holds a character that is not printable ASCII"
  | BoundSpaced -> "words must stand one blank apart, and none at the ends of a line"
  | BoundLong -> "the line is longer than 2^28 bytes"
  | BoundKind -> "\"needs ...\", \"clique ...\", \"box ...\", \"at most ...\", or another line of the format, should stand here"
  | BoundNeed -> "a bound is needed of a plain box of the same piece"
  | BoundTwice -> "the bound of this box is needed twice"
  | BoundMultiplier -> "the multiplier should be a fraction that is not negative, such as 2/3"
  | BoundSquare -> "this is not a square of the board"
  | BoundClique -> "two squares do not attack each other"
  | BoundNumbers -> "this is not a number that may stand here"
  | BoundOutside -> "the box does not lie on the board"
  | BoundItself -> "the box is the board itself"
  | BoundSquares -> "the box has too many squares"
  | BoundNothing -> "nothing says that so few fit on the box"
  | BoundQueens -> "this line is valid only for queens"
  | BoundThrees -> "each side of this box must be 1 or 3"
  | BoundWeights -> "no known inequality for boxes of these sides has these weights and this right-hand side"
  | BoundDenominator -> "the common denominator of the multipliers has more than 16384 binary digits"
  | BoundCounted -> "a square and its images are counted less than once"
  | BoundMore -> "the right-hand sides add up to more"
  | BoundSplit -> "a case is split before its inequalities, by fewer queens than there are images of the square"
  | BoundAssumed -> "nothing like this is assumed of the square and its images"
  | BoundOpen -> "some case is not bounded"
  | BoundDone -> "all cases are bounded, so that \"at most ...\" should stand here"
  | BoundEnd -> "the bound must end with the line \"end\" here"
  | BoundAfter -> "the bound must end with the line \"end\""

let piece = function Queen -> "queen" | Rook -> "rook" | Bishop -> "bishop"
let sides l = String.concat "x" (Lists.map Big.to_string l)

let refuse line fault =
  Printf.printf "refused: line %s: %s\n" (Big.to_string line) fault;
  exit 1

(* A limit was reached: nothing is shown either way. *)
let leave line fault =
  Printf.printf "not checked: line %s: %s\n" (Big.to_string line) fault;
  exit 3

let is_limit = function
  | LineTooLong | BoardTooLarge | NumberTooLarge | ListTooLarge | TooManySteps -> true
  | _ -> false
let is_bound_limit = function BoundLong | BoundLarge | BoundSquares | BoundDenominator -> true | _ -> false

let buffer = Bytes.create 65536

(* The beginning of the line that the checker read last; a longer line than this has no number that matters here. *)
let longest = 1 lsl 20
let last_line = Buffer.create 256

(* All bytes of a file, one after the other, until the checker has had enough at the end of a line. *)
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

(* A number is written in decimal digits without leading zeros. *)
let is_number word =
  let is_digit c = c >= '0' && c <= '9' in
  word <> "" && (word = "0" || word.[0] <> '0') && String.for_all is_digit word

let most = Big.shift_left Big.one 64
let is_large word = String.length word >= 20 && is_number word && Big.geq (Big.of_string word) most

(* The numbers between other signs than digits and letters. *)
let parts word = String.split_on_char ',' (String.map (fun c -> if String.contains "x/:^*-=" c then ',' else c) word)

(* A line that is refused may hold a number that is beyond the limits: then it was not checked. A multiplier of a bound, the second word of
   its line, may be larger. *)
let has_large_number has_multiplier =
  let words = String.split_on_char ' ' (String.trim (Buffer.contents last_line)) in
  let with_multiplier = [ "clique"; "box"; "volume"; "class"; "most"; "least" ] in
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
      | _ -> refuse (Big.succ r.lines_read) "the proof ends too early, or a line is cut off")

let certificate file =
  let wrong c = match c.part_of with Wrong -> true | _ -> false in
  let c = fold file feed_certificate wrong first_certificate in
  match certified c with
  | Some ((p, s), k) -> Printf.printf "accepted: at least %s on %s:%s\n" (Big.to_string k) (piece p) (sides s)
  | None -> (
      match c.part_of with
      | Wrong -> refuse c.lines_so_far "this is not the line of a certificate of an independent set that should stand here"
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
      | _ -> refuse (Big.succ r.bound_lines_read) "the bound ends too early, or a line is cut off")

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
      prerr_endline "error: the file is too large for this machine's memory, or for its stack (ulimit -s)";
      exit 2
  in
  match file with
  | [] -> set_binary_mode_in stdin true; check stdin
  | [ name ] -> (
      match open_in_bin name with
      | file -> check file
      | exception Sys_error fault -> prerr_endline ("error: " ^ fault); exit 2)
  | _ -> usage ()
