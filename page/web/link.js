// A link holds kernel, launch and mode in its fragment: JSON, deflated, in letters that need no quoting.
// SPDX-License-Identifier: Apache-2.0
import { through, bytes_of } from './run.js';

export async function pack(state) {
  const z = await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream('deflate-raw'));
  let letters = '';
  for (const b of z) letters += String.fromCharCode(b);
  return btoa(letters).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

// null: it is none of ours.
export async function unpack(fragment) {
  try {
    const z = bytes_of(fragment.replace(/^#/, '').replace(/-/g, '+').replace(/_/g, '/'));
    const state = JSON.parse(new TextDecoder().decode(await through(z, new DecompressionStream('deflate-raw'))));
    return typeof state.source === 'string' && typeof state.launch === 'string' ? state : null;
  } catch {
    return null;
  }
}
