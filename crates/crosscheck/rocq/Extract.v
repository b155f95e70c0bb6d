(** Extracts the checks as OCaml code. All manual replacements are listed here; they refer to integers.ml. *)

From NDQ Require Import Definitions Boxes Sums Text Faces Rows Trees Problems Layers Proofs Certificates Orbits Weights Bounds.
From Coq Require Import ExtrOcamlBasic.

Extract Inductive nat => "int" [ "0" "Integers.successor" ] "Integers.match_nat".
Extract Inductive positive => "Integers.t" [ "Integers.odd" "Integers.even" "Integers.one" ] "Integers.match_positive".
Extract Inductive Z => "Integers.t" [ "Integers.zero" "Integers.positive" "Integers.negative" ] "Integers.match_z".

Extract Constant Z.add => "Integers.add".
Extract Constant Z.sub => "Integers.sub".
Extract Constant Z.mul => "Integers.mul".
Extract Constant Z.div => "Integers.div".
Extract Constant Z.gcd => "Integers.gcd".
Extract Constant Z.abs => "Integers.abs".
Extract Constant Z.max => "Integers.max".
Extract Constant Z.min => "Integers.min".
Extract Constant Z.eqb => "Integers.equal".
Extract Constant Z.leb => "Integers.leq".
Extract Constant Z.ltb => "Integers.lt".
Extract Constant Z.testbit => "Integers.testbit".
Extract Constant Z.div2 => "Integers.half".
Extract Constant Z.lor => "Integers.logor".
Extract Constant Z.land => "Integers.logand".
Extract Constant Z.ldiff => "Integers.logdiff".
Extract Constant Z.setbit => "Integers.setbit".
Extract Constant Z.clearbit => "Integers.clearbit".
Extract Constant Z.of_nat => "Integers.of_nat".
Extract Constant Z.to_nat => "Integers.to_nat".
Extract Constant length => "Integers.length".
Extract Constant map => "Integers.map".
Extract Constant Nat.eqb => "Integers.nat_equal".
Extract Constant Nat.leb => "Integers.nat_leq".
Extract Constant Trees.lowest => "Integers.lowest".
Extract Constant Trees.highest => "Integers.highest".
Extract Constant Trees.table "'a" => "'a array".
Extract Constant Trees.table_of => "Array.of_list".
Extract Constant Trees.get => "Integers.get".

Extraction Blacklist Integers Z List String.

Extraction "checker.ml" feed first_reader conclusion boxes no_more_fit reached now lines_read nodes_seen boxes_seen
  feed_certificate first_certificate certified
  feed_bound first_sums bounded.
