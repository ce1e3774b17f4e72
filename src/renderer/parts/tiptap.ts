/**
 * The editor of formatted descriptions, on tiptap, with exactly the elements that the service keeps: what is opened in it comes
 * out the same. Loaded when somebody formats, not before. HTML never reaches it as text: opened, pasted or dropped, it is
 * sanitised to nodes first (purify.ts), and sanitised again on its way out.
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
  Subscript,
  Superscript,
  Highlight,
];

/** Clean nodes in the place of whatever the clipboard or a drag brought. False: nothing of ours to do. */
const insert = (view: EditorView, html: string, at?: number): boolean => {
  if (html === '') return false;
  const slice = DOMParser.fromSchema(view.state.schema).parseSlice(purify(html));
  const { tr } = view.state;
  view.dispatch(
    (at === undefined ? tr.replaceSelection(slice) : tr.replace(at, at, slice)).scrollIntoView(),
  );
  return true;
};

export interface EditorStart {
  readonly element: HTMLElement;
  readonly html: string;
  /** Of the text box, for readers. */
  readonly label: string;
  readonly onChange: (html: string) => void;
  /** The selection or the marks at it changed. */
  readonly onMove: () => void;
}

/** The description as it is sent: clean, and empty where nothing is written. The empty line that the editor keeps below a table is its own. */
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
    // The editor's own CSS would be a style element, which the window's policy refuses: the few rules are in RichTextEditor.svelte.
    injectCSS: false,
    editorProps: {
      attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': label },
      handleDOMEvents: {
        paste: (view, event) => {
          if (!insert(view, event.clipboardData?.getData('text/html') ?? '')) return false;
          event.preventDefault();
          return true;
        },
        drop: (view, event) => {
          // What is dragged inside the editor is its own and never was text.
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
