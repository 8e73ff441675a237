(** Binary trees *)

type 'a tree =
  | Leaf
  | Node of 'a tree * 'a * 'a tree

type options = {
  balanced : bool;
  mutable limit : int option;
}

exception Not_there of string

module type ORDER = sig
  type t
  val compare : t -> t -> int
end

module Make (O : ORDER) : sig
  val insert : O.t -> O.t tree -> O.t tree
  val fold : ('acc -> O.t -> 'acc) -> 'acc -> O.t tree -> 'acc
end

val empty : 'a tree
(** Nothing in it. *)

val size : 'a tree -> int
val to_list : ?reverse:bool -> 'a tree -> 'a list
external identity : 'a -> 'a = "%identity"
