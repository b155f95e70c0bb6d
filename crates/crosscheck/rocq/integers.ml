(* Integers, sets of bits and arrays, which replace the definitions of Rocq's library in the extracted code. *)

type t = Z.t

let zero = Z.zero
let one = Z.one

(* Constructors of positive: 2 p + 1, 2 p and 1. *)
let odd p = Z.succ (Z.shift_left p 1)
let even p = Z.shift_left p 1
let match_positive on_odd on_even on_one p =
  if Z.equal p Z.one then on_one ()
  else if Z.is_odd p then on_odd (Z.shift_right p 1)
  else on_even (Z.shift_right p 1)

let positive p = p
let negative p = Z.neg p
let match_z on_zero on_positive on_negative z =
  match Z.sign z with
  | 0 -> on_zero ()
  | 1 -> on_positive z
  | _ -> on_negative (Z.neg z)

(* Natural numbers below 2^62. *)
let successor n = n + 1
let match_nat on_zero on_successor n = if n = 0 then on_zero () else on_successor (n - 1)
let of_nat = Z.of_int
let to_nat z = if Z.sign z < 0 then 0 else Z.to_int z
let length = List.length
let map f l = List.rev (List.rev_map f l)
let nat_equal (a : int) (b : int) = a = b
let nat_leq (a : int) (b : int) = a <= b

let add = Z.add
let sub = Z.sub
let mul = Z.mul

(* Division rounds down. The quotient by 0 is 0. *)
let div a b = if Z.equal b Z.zero then Z.zero else Z.fdiv a b
let gcd = Z.gcd
let abs = Z.abs
let half z = Z.shift_right z 1
let max = Z.max
let min = Z.min
let equal = Z.equal
let leq = Z.leq
let lt = Z.lt

(* Bits. Negative positions contain no bit. *)
let testbit s x = Z.sign x >= 0 && Z.testbit s (Z.to_int x)
let logor = Z.logor
let logand = Z.logand
let logdiff a b = Z.logand a (Z.lognot b)
let single x = if Z.sign x < 0 then Z.zero else Z.shift_left Z.one (Z.to_int x)
let setbit s x = Z.logor s (single x)
let clearbit s x = logdiff s (single x)
let lowest s = if Z.sign s <= 0 then Z.zero else Z.of_int (Z.trailing_zeros s)
let highest s = if Z.sign s <= 0 then Z.zero else Z.of_int (Z.numbits s - 1)

let get default table i =
  if Z.sign i >= 0 && Z.lt i (Z.of_int (Array.length table)) then table.(Z.to_int i) else default
