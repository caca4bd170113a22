// Elements, shortly.  SPDX-License-Identifier: Apache-2.0
export const counted = (n, what) => `${n} ${what}${n === 1 ? '' : 's'}`;
export const by = (id) => document.getElementById(id);

export function el(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes))
    if (k.startsWith('on')) e.addEventListener(k.slice(2), v);
    else if (v !== null && v !== undefined && v !== false) e.setAttribute(k, v === true ? '' : v);
  e.append(...children.filter((c) => c !== null && c !== undefined));
  return e;
}
