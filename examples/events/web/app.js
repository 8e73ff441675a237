"use strict";
const articles = ["Pen", "Ink", "Desk", "Lamp", "Chair", "Paper", "Stamp", "Clip"].map((name, id) => ({ id, name, price: 2 + id * 3 }));
const cart = [];
let coupon = null;
const at = (id) => document.getElementById(id);

function showArticles() {
  const word = at("search").value.toLowerCase();
  const key = at("sort").value;
  const found = articles.filter((a) => a.name.toLowerCase().includes(word));
  found.sort((a, b) => (a[key] < b[key] ? -1 : 1));
  at("articles").replaceChildren(...found.map((a) => {
    const line = document.createElement("li");
    line.innerHTML = `${a.name} ${a.price.toFixed(2)} <button id="add-${a.id}">add</button>`;
    line.querySelector("button").onclick = () => add(a);
    return line;
  }));
}

function add(article) {
  const known = cart.find((item) => item.article === article);
  if (known) known.count += 1;
  else cart.push({ article, count: 1 });
  showCart();
}

function remove(item) {
  cart.splice(cart.indexOf(item), 1);
  showCart();
}

// The coupon takes a tenth off the dearest article, whose place in the cart is remembered.
function applyCoupon(code) {
  if (code !== "TENTH" || cart.length === 0) return;
  const prices = cart.map((item) => item.article.price);
  coupon = { place: prices.indexOf(Math.max(...prices)) };
  showCart();
}

function total() {
  const sum = cart.reduce((all, item) => all + item.article.price * item.count, 0);
  if (coupon === null) return sum;
  return sum - cart[coupon.place].article.price / 10; // the place may be gone by now
}

function showCart() {
  at("cart").replaceChildren(...cart.map((item) => {
    const line = document.createElement("li");
    const id = item.article.id;
    line.innerHTML = `${item.article.name} <input id="count-${id}" size="2" value="${item.count}"> <button id="remove-${id}">x</button>`;
    line.querySelector("button").onclick = () => remove(item);
    line.querySelector("input").onchange = (event) => { item.count = Number(event.target.value); showCart(); };
    return line;
  }));
  at("total").textContent = total().toFixed(2);
}

at("search").oninput = showArticles;
at("sort").onchange = showArticles;
at("coupon").onclick = () => at("coupon-dialog").showModal();
at("coupon-ok").onclick = () => { at("coupon-dialog").close(); applyCoupon(at("coupon-code").value); };
at("coupon-cancel").onclick = () => at("coupon-dialog").close();
at("gift").onclick = () => at("gift-dialog").showModal();
at("gift-ok").onclick = () => at("gift-dialog").close();
showArticles();
