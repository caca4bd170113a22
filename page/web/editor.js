// The editor: CodeMirror, with the words of PTX and of listings.  SPDX-License-Identifier: Apache-2.0
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import { EditorView, Decoration, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { HighlightStyle, StreamLanguage, bracketMatching, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { tags } from '@lezer/highlight';

const language = StreamLanguage.define({
  name: 'ptx',
  languageData: { commentTokens: { line: '//' } },
  token(s) {
    if (s.match(/^\/\/.*/)) return 'comment';
    if (s.match(/^\/\*.*?\*\//)) return 'comment';
    if (s.match(/^"[^"]*"?/)) return 'string';
    if (s.sol() && s.match(/^\s*[A-Za-z_$.][\w$]*:/)) return 'labelName';
    if (s.match(/^@!?%?[\w$]+/)) return 'controlKeyword';
    if (s.match(/^\.(version|target|address_size|visible|entry|func|reg|param|shared|global|const|local|align|pragma|file|loc|text|kernel|regs)\b/))
      return 'keyword';
    if (s.match(/^(BSSY|BSYNC|BREAK|WARPSYNC|YIELD|BAR|bar|barrier|bra|BRA|call|CALL|ret|RET|EXIT|exit)\b[\w.]*/)) return 'controlKeyword';
    if (s.match(/^%[\w.$]+/)) return 'variableName';
    if (s.match(/^(0[xX][0-9a-fA-F]+|0[fFdD][0-9a-fA-F]+|\d+)\b/)) return 'number';
    if (s.match(/^(R|P|B|UR|SR_?)\w*\b/)) return 'variableName';
    if (s.match(/^[A-Za-z][\w.:]*/)) return 'atom';
    s.next();
    return null;
  },
});
const colours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--dim)', fontStyle: 'italic' },
  { tag: tags.keyword, color: 'var(--word)' },
  { tag: tags.controlKeyword, color: 'var(--jump)', fontWeight: '600' },
  { tag: tags.labelName, color: 'var(--label)', fontWeight: '600' },
  { tag: tags.number, color: 'var(--number)' },
  { tag: tags.string, color: 'var(--number)' },
  { tag: tags.variableName, color: 'var(--name)' },
  { tag: tags.atom, color: 'var(--front)' },
]);

// The line that a view speaks of.
const mark_line = StateEffect.define();
const marked = StateField.define({
  create: () => Decoration.none,
  update(value, t) {
    value = value.map(t.changes);
    for (const e of t.effects)
      if (e.is(mark_line))
        value = e.value && e.value <= t.state.doc.lines
          ? Decoration.set([Decoration.line({ class: 'marked' }).range(t.state.doc.line(e.value).from)]) : Decoration.none;
    return value;
  },
  provide: (f) => EditorView.decorations.from(f),
});

export function editor(parent, changed, run) {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), history(), drawSelection(), bracketMatching(),
        highlightSelectionMatches(), language, syntaxHighlighting(colours), lintGutter(), marked, EditorView.lineWrapping,
        keymap.of([{ key: 'Mod-Enter', run: () => (run(), true) }, ...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap]),
        EditorView.contentAttributes.of({ 'aria-label': 'kernel: PTX or a listing' }),
        EditorView.updateListener.of((u) => u.docChanged && changed()),
      ],
    }),
  });
  return {
    get: () => view.state.doc.toString(),
    set(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      view.scrollDOM.scrollTop = 0;
    },
    errors(list) {
      const doc = view.state.doc;
      const at = list.filter((e) => e.line <= doc.lines).map((e) => {
        const line = doc.line(e.line), from = Math.min(line.from + e.column - 1, line.to);
        const rest = /^[\w.%$]+/.exec(doc.sliceString(from, line.to));
        return { from, to: Math.min(from + (rest ? rest[0].length : 1), line.to), severity: 'error', message: e.text };
      });
      view.dispatch(setDiagnostics(view.state, at));
      if (at.length && innerWidth > 760) view.dispatch({ selection: { anchor: at[0].from }, effects: EditorView.scrollIntoView(at[0].from, { y: 'center' }) });
    },
    mark(line, scroll = false) {
      const effects = [mark_line.of(line)];
      if (scroll && line && line <= view.state.doc.lines) effects.push(EditorView.scrollIntoView(view.state.doc.line(line).from, { y: 'nearest' }));
      view.dispatch({ effects });
    },
    focus: () => view.focus(),
  };
}
