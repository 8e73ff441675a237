-- Orders and customers
CREATE TABLE customers (
    id INTEGER PRIMARY KEY,
    name VARCHAR(80) NOT NULL,
    born DATE,
    credit DECIMAL(10, 2) DEFAULT 0
);

CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    customer INTEGER REFERENCES customers (id),
    placed TIMESTAMP NOT NULL,
    total DECIMAL(10, 2)
);

CREATE INDEX orders_by_customer ON orders (customer, placed);

INSERT INTO customers (id, name, born) VALUES (1, 'Ann', '1980-01-02'), (2, 'O''Neill', NULL);
INSERT INTO orders VALUES (10, 1, '2024-03-01 10:00:00', 12.50);

UPDATE customers SET credit = credit + 5 WHERE id IN (1, 2) AND born IS NOT NULL;

SELECT c.name, COUNT(*) AS n, SUM(o.total) AS spent
FROM customers AS c
LEFT JOIN orders AS o ON o.customer = c.id
WHERE c.name LIKE 'A%' OR o.total BETWEEN 1 AND 100
GROUP BY c.name
HAVING COUNT(*) > 0
ORDER BY spent DESC
LIMIT 10;

DELETE FROM orders WHERE total < (SELECT AVG(total) FROM orders);
DROP TABLE orders;
