package org.example.game

import kotlin.math.abs

sealed class Move {
    data class Step(val dx: Int, val dy: Int = 0) : Move()
    object Rest : Move()
}

interface Board {
    val width: Int
    fun inside(x: Int, y: Int): Boolean
}

class Field(override val width: Int, private val height: Int) : Board {
    private val seen = mutableMapOf<Pair<Int, Int>, Int>()

    override fun inside(x: Int, y: Int) = x in 0 until width && y in 0 until height

    fun walk(moves: List<Move>): Int {
        var x = 0
        var y = 0
        for (move in moves) {
            when (move) {
                is Move.Step -> {
                    x += move.dx
                    y += move.dy
                }
                Move.Rest -> continue
            }
            if (!inside(x, y)) throw IllegalStateException("left at $x, ${abs(y)}")
            seen[x to y] = (seen[x to y] ?: 0) + 1
        }
        return seen.values.filter { it > 1 }.sum()
    }
}

fun main() {
    println(Field(4, 4).walk(listOf(Move.Step(1), Move.Rest, Move.Step(dx = -1, dy = 1))))
}
