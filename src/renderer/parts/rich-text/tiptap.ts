/**
 * Rich text editor for descriptions, based on tiptap. Supports exactly the elements that the service keeps, so that opening and
 * saving preserves a text. Loaded on first use. All HTML is sanitized to nodes before it enters, whether opened, pasted or
 * dropped (purify.ts), and again on the way out.
 */
import { Editor, type Extensions, getSchema } from '@tiptap/core';
import { Highlight } from '@tiptap/extension-highlight';
import { Subscript } from '@tiptap/extension-subscript';
import { Superscript } from '@tiptap/extension-superscript';
import { TableKit } from '@tiptap/extension-table';
import { DOMParser } from '@tiptap/pm/model';
import type { EditorView } from '@tiptap/pm/view';
import { StarterKit } from '@tiptap/starter-kit';
import { purify, purifyToText, safeHref } from './purify.ts';

const extensions: Extensions = [
  StarterKit.configure({
    link: {
      openOnClick: false,
      autolink: false,
      isAllowedUri: (url) => safeHref(url) !== null,
      HTMLAttributes: { target: null, rel: null, class: null },
    },
  }),
  TableKit.configure({ table: { resizable: false } }),
  // Its shortcut Ctrl+, would block the desktop program's Settings.
  Subscript.extend({ addKeyboardShortcuts: () => ({}) }),
  Superscript,
  Highlight,
];

/** Inserts sanitized clipboard or drag content. Returns false if there is none. */
const insert = (view: EditorView, html: string, at?: number): boolean => {
  if (html === '') return false;
  const slice = DOMParser.fromSchema(view.state.schema).parseSlice(purify(html));
  const { tr } = view.state;
  view.dispatch(
    (at === undefined ? tr.replaceSelection(slice) : tr.replace(at, at, slice)).scrollIntoView(),
  );
  return true;
};

/** Ctrl+Enter (Command on a Mac) saves the form. Without this, the editor would first replace the selection by a line break. */
const isSaveKey = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key === 'Enter' && (ctrlKey || metaKey);

export interface EditorStart {
  readonly element: HTMLElement;
  readonly html: string;
  /** Accessible name of the text box. */
  readonly label: string;
  readonly onChange: (html: string) => void;
  /** Called when the selection or the active marks change. */
  readonly onMove: () => void;
}

/** The sanitized description to send, '' if empty. Removes the empty paragraph that the editor adds below a table. */
const htmlOf = (editor: Editor): string => {
  if (editor.isEmpty) return '';
  let html = editor.getHTML();
  while (html.endsWith('<p></p>')) html = html.slice(0, -'<p></p>'.length);
  return purifyToText(html);
};

export const openEditor = ({ element, html, label, onChange, onMove }: EditorStart): Editor => {
  const schema = getSchema(extensions);
  return new Editor({
    element,
    extensions,
    content: DOMParser.fromSchema(schema).parse(purify(html)).toJSON(),
    // The content security policy refuses tiptap's injected style element. RichTextEditor.svelte contains the few rules
    // instead.
    injectCSS: false,
    editorProps: {
      attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': label },
      // Runs before the extensions' key handlers. Returning `true` stops them.
      handleKeyDown: (_view, event) => isSaveKey(event),
      handleDOMEvents: {
        paste: (view, event) => {
          if (!insert(view, event.clipboardData?.getData('text/html') ?? '')) return false;
          event.preventDefault();
          return true;
        },
        drop: (view, event) => {
          // Content dragged within the editor is already clean.
          if (view.dragging !== null) return false;
          const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos;
          if (!insert(view, event.dataTransfer?.getData('text/html') ?? '', at)) return false;
          event.preventDefault();
          return true;
        },
      },
    },
    onUpdate: ({ editor }) => onChange(htmlOf(editor)),
    onTransaction: onMove,
  });
};
