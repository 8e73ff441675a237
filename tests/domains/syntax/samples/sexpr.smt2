; Two functions that are not the same
(set-logic QF_UFLIA)
(set-option :produce-models true)
(set-info :source |written
by hand (for tests)|)
(declare-sort Element 0)
(declare-fun f (Int Int) Int)
(declare-fun |odd name| () Bool)
(declare-const a Int)
(declare-const b Int)
(define-fun larger ((x Int) (y Int)) Int
  (ite (> x y) x y))
(assert (= (f a b) (larger a b)))
(assert (=> |odd name| (not (= a b))))
(assert
  (let ((sum (+ a b))
        (difference (- a b)))
    (and (<= 0 sum 100) ; bounded
         (distinct sum difference))))
(push 1)
(assert (forall ((x Int)) (! (>= (f x x) #x0F) :pattern ((f x x)))))
(echo "a ""quoted"" word (and a bracket")
(check-sat)
(pop 1)
(check-sat-assuming (|odd name|))
(get-model)
(exit)
