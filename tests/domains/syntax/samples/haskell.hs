{-# LANGUAGE LambdaCase #-}
-- | A tiny evaluator.
module Eval
  ( Expr (..)
  , eval
  ) where

import qualified Data.Map as M
import Data.Maybe (fromMaybe)

data Expr
  = Num Int
  | Var String
  | Add Expr Expr
  | Let String Expr Expr
  deriving (Show, Eq)

type Env = M.Map String Int

class Pretty a where
  pretty :: a -> String

instance Pretty Expr where
  pretty = \case
    Num n -> show n
    Var v -> v
    Add a b -> "(" ++ pretty a ++ " + " ++ pretty b ++ ")"
    Let v e b -> unwords ["let", v, "=", pretty e, "in", pretty b]

eval :: Env -> Expr -> Either String Int
eval _ (Num n) = Right n
eval env (Var v) = maybe (Left ("unbound: " ++ v)) Right (M.lookup v env)
eval env (Add a b) = (+) <$> eval env a <*> eval env b
eval env (Let v e b) = do
  x <- eval env e
  eval (M.insert v x env) b

squares :: [Int]
squares = [x * x | x <- [1 .. 10], even x]
