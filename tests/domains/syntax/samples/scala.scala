package org.example.text

import scala.collection.mutable

sealed trait Token
case class Word(text: String, at: Int = 0) extends Token
case object End extends Token

object Lexer {
  private val Blank = "\\s+".r

  def tokens(line: String): List[Token] = {
    val words = Blank.split(line).toList.zipWithIndex.map { case (text, at) => Word(text, at) }
    words :+ End
  }

  def count[A](items: Seq[A])(implicit order: Ordering[A]): Map[A, Int] = {
    val found = mutable.Map.empty[A, Int]
    for (item <- items if items.nonEmpty) {
      found(item) = found.getOrElse(item, 0) + 1
    }
    found.toMap
  }

  def show(token: Token): String = token match {
    case Word(text, _) if text.isEmpty => "?"
    case Word(text, at) => s"$at:${text.toUpperCase}"
    case End => "."
  }

  def main(args: Array[String]): Unit = {
    lazy val all = args.flatMap(tokens)
    var i = 0
    while (i < all.length) { println(show(all(i))); i += 1 }
    try println(count(args.toSeq)) catch { case e: Exception => println(e) }
  }
}
