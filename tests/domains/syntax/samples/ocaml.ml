(* Binary trees *)
open Printf

type 'a tree =
  | Leaf
  | Node of 'a tree * 'a * 'a tree

exception Not_there of string

module type ORDER = sig
  type t
  val compare : t -> t -> int
end

module Make (O : ORDER) = struct
  let rec insert x = function
    | Leaf -> Node (Leaf, x, Leaf)
    | Node (l, y, r) as node ->
      let c = O.compare x y in
      if c < 0 then Node (insert x l, y, r)
      else if c > 0 then Node (l, y, insert x r)
      else node

  let rec fold f acc = function
    | Leaf -> acc
    | Node (l, x, r) -> fold f (f (fold f acc l) x) r
end

module Ints = Make (struct type t = int let compare = compare end)

let () =
  let tree = List.fold_left (fun t x -> Ints.insert x t) Leaf [5; 2; 8; 1] in
  let total = Ints.fold ( + ) 0 tree in
  try printf "total %d\n" total; raise (Not_there "x")
  with Not_there name when name <> "" -> prerr_endline name
