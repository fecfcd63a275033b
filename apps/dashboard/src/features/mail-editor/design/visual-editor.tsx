import type { MailDesign } from '@postrider/core/content/templates/contract';
import { type CSSProperties, useEffect, useRef } from 'react';
import { useVariables } from '../variables/use-variables.ts';
import { DragHandle } from './drag-handle.tsx';
import { EditorToolbar } from './editor-toolbar.tsx';
import { ImageChoice } from './image-choice.tsx';
import { Inspector } from './inspector.tsx';
import { Palette } from './palette.tsx';
import { selectNode } from './select-node.ts';
import { changeSettings } from './selected-blocks.ts';
import { SelectionBubble } from './selection-bubble.tsx';
import type { NodePath } from './trace-design.rules.ts';
import { TypedMenu } from './typed-menu.tsx';
import { useEditor } from './use-editor.ts';
import styles from './visual-editor.module.css';

interface VisualEditorProps {
  design: MailDesign;
  onChange: (design: MailDesign) => void;
  /** The node to go to, once for each object. */
  target: { path: NodePath } | null;
}

/** The design in the width in which it is read, with a toolbar above and an inspector beside it. */
export function VisualEditor({ design, onChange, target }: VisualEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const page = useRef<HTMLDivElement>(null);
  const editor = useEditor(place, design, (changed) => onChange({ ...design, ...changed }));
  useEffect(() => {
    if (editor && target) selectNode(editor, target.path);
  }, [editor, target]);
  const variables = useVariables();
  const { background, card, text, primary, font, radius } = design.settings;
  const look = {
    '--mail-background': background,
    '--mail-card': card,
    '--mail-text': text,
    '--mail-primary': primary,
    '--mail-font': font,
    '--mail-radius': `${radius}px`,
  } as CSSProperties;
  return (
    <div className={styles.editor}>
      {editor && <EditorToolbar editor={editor} variables={variables} />}
      <div className={styles.workspace}>
        {editor && <Palette editor={editor} />}
        <div ref={page} className={styles.page} style={look}>
          <div ref={place} className={styles.card} />
          {editor && <DragHandle editor={editor} page={page} />}
          {editor && <SelectionBubble editor={editor} page={page} variables={variables} />}
          {editor && <ImageChoice editor={editor} />}
        </div>
        {editor && (
          <Inspector
            editor={editor}
            settings={design.settings}
            onSettings={(change) => changeSettings(editor, change)}
          />
        )}
      </div>
      {editor && <TypedMenu editor={editor} variables={variables} />}
    </div>
  );
}
