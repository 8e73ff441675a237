package org.example.bank;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** An account with its movements. */
public final class Account<T extends Number> implements Comparable<Account<T>> {
    private static final int LIMIT = 1_000;
    private final String owner;
    private final List<T> movements = new ArrayList<>();

    public Account(String owner) {
        this.owner = owner;
    }

    public void move(T amount) throws IllegalArgumentException {
        if (amount == null || Math.abs(amount.doubleValue()) > LIMIT) {
            throw new IllegalArgumentException("no such amount: " + amount);
        }
        movements.add(amount); // kept in order
    }

    public double balance(Predicate<? super T> wanted) {
        double sum = 0;
        for (T amount : movements) {
            sum += wanted.test(amount) ? amount.doubleValue() : 0.0;
        }
        return sum;
    }

    @Override
    public int compareTo(Account<T> other) {
        return owner.compareTo(other.owner);
    }

    enum State { OPEN, CLOSED; }
}
