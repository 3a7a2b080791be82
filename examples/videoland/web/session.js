// Who is signed in, and what that person may do. The server enforces the same roles.
import * as api from "./api.js";

const RANK = { viewer: 0, editor: 1, admin: 2 };
let user = null;

export async function loadSession() {
  user = (await api.session()).user;
  if (user) applyAppearance(user.appearance);
}

export function currentUser() {
  return user;
}

export function setUser(next) {
  user = next;
  if (user) applyAppearance(user.appearance);
}

/** Whether the signed-in person has at least `role`. */
export function may(role) {
  return user !== null && RANK[user.role] >= RANK[role];
}

export function applyAppearance({ theme, density, reduceMotion }) {
  const root = document.documentElement;
  root.dataset.theme = theme;
  root.dataset.density = density;
  root.toggleAttribute("data-reduce-motion", reduceMotion);
}
