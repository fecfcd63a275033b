import type { MailDesign } from '@postrider/core/content/templates/contract';
import { type CSSProperties, useEffect, useRef } from 'react';
import { useVariables } from '../variables/use-variables.ts';
import { offerJump } from './design-jump.ts';
import { DragHandle } from './drag-handle.tsx';
import { EditorToolbar } from './editor-toolbar.tsx';
import { Inspector } from './inspector.tsx';
import { selectNode } from './select-node.ts';
import { SelectionBubble } from './selection-bubble.tsx';
import { TypedMenu } from './typed-menu.tsx';
import { useEditor } from './use-editor.ts';
import styles from './visual-editor.module.css';

interface VisualEditorProps {
  design: MailDesign;
  onChange: (design: MailDesign) => void;
}

/** The design as it looks in the email, with a toolbar above and an inspector beside it. */
export function VisualEditor({ design, onChange }: VisualEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const page = useRef<HTMLDivElement>(null);
  const editor = useEditor(place, design.content, (content) => onChange({ ...design, content }));
  useEffect(() => (editor ? offerJump((path) => selectNode(editor, path)) : undefined), [editor]);
  const variables = useVariables();
  const { background, card, text, primary, font } = design.settings;
  const look = {
    '--mail-background': background,
    '--mail-card': card,
    '--mail-text': text,
    '--mail-primary': primary,
    '--mail-font': font,
  } as CSSProperties;
  return (
    <div className={styles.editor}>
      {editor && <EditorToolbar editor={editor} variables={variables} />}
      <div className={styles.workspace}>
        <div ref={page} className={styles.page} style={look}>
          <div ref={place} className={styles.card} />
          {editor && <DragHandle editor={editor} page={page} />}
          {editor && <SelectionBubble editor={editor} page={page} variables={variables} />}
        </div>
        {editor && (
          <Inspector
            editor={editor}
            settings={design.settings}
            onSettings={(settings) => onChange({ ...design, settings })}
          />
        )}
      </div>
      {editor && <TypedMenu editor={editor} variables={variables} />}
    </div>
  );
}
