import {
  compileDesign,
  defaultDesign,
  type MailDesign,
  readDesign,
} from '@postrider/core/content/templates/contract';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useProject } from '../../../lib/current.ts';
import { Confirm } from '../../../ui/dialog.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import styles from './mail-body.module.css';
import { parseDesign, writeDesign } from './parse-design.ts';

const VisualEditor = lazy(async () => ({ default: (await import('./visual-editor.tsx')).VisualEditor }));

interface Body {
  body: string;
  design: Record<string, unknown> | null;
}

interface MailBodyProps extends Body {
  /** The subject, which becomes the title of the document. */
  subject: string;
  onChange: (change: Partial<Body>) => void;
  /** Tools of the editor of the HTML, shown beside the choice of the editor. */
  tools: ReactNode;
  /** The editor of the HTML. */
  code: ReactNode;
  /** The editor of the plain text. */
  text: ReactNode;
}

/**
 * The body in one of two ways: as a design, which its HTML is made from, or as HTML. The change from one to the other is asked for. The
 * plain text is beside them; what is not shown stays in the form.
 */
export function MailBody({ body, design: stored, subject, onChange, tools, code, text }: MailBodyProps) {
  const project = useProject();
  const [part, setPart] = useState<'html' | 'text'>('html');
  const [asks, setAsks] = useState<'code' | 'visual' | null>(null);
  const design = readDesign(stored);
  const compile = (next: MailDesign) => compileDesign(next, { subject, language: project.language });
  const store = (next: MailDesign) => onChange({ design: { ...next }, body: compile(next) });
  const titled = useRef(subject);
  useEffect(() => {
    if (titled.current === subject) return;
    titled.current = subject;
    if (design) onChange({ body: compile(design) });
  });
  const startDesign = () => {
    store(defaultDesign(project));
    setAsks(null);
  };
  return (
    <div className={styles.body}>
      <div className={styles.head}>
        <fieldset className={styles.modes} aria-label="Editor">
          <button
            type="button"
            aria-pressed={part === 'html' && design !== null}
            onClick={() => {
              setPart('html');
              if (design === null) body.trim() === '' ? startDesign() : setAsks('visual');
            }}
          >
            Visual
          </button>
          <button
            type="button"
            aria-pressed={part === 'html' && design === null}
            onClick={() => {
              setPart('html');
              if (design !== null) setAsks('code');
            }}
          >
            Code
          </button>
          <button type="button" aria-pressed={part === 'text'} onClick={() => setPart('text')}>
            Plain text
          </button>
        </fieldset>
        {part === 'html' && design === null && tools}
      </div>
      <div className={styles.part} hidden={part !== 'text'}>
        {text}
      </div>
      <div className={styles.part} hidden={part !== 'html'}>
        {design ? (
          <>
            <Suspense fallback={<Skeleton />}>
              <VisualEditor design={design} onChange={store} />
            </Suspense>
            <textarea
              hidden
              name="body"
              value={body}
              onChange={({ target }) => onChange({ body: target.value })}
            />
          </>
        ) : (
          code
        )}
      </div>
      <textarea
        hidden
        name="design"
        value={writeDesign(stored)}
        onChange={({ target }) => onChange({ design: parseDesign(target.value) })}
      />
      {asks === 'visual' && (
        <Confirm
          title="Start a visual design?"
          action="Replace the HTML"
          pending={false}
          failure={null}
          onClose={() => setAsks(null)}
          onConfirm={startDesign}
        >
          <p>The design begins with the default layout and replaces the HTML of this email.</p>
        </Confirm>
      )}
      {asks === 'code' && (
        <Confirm
          title="Edit the HTML of this design?"
          action="Edit the HTML"
          pending={false}
          failure={null}
          onClose={() => setAsks(null)}
          onConfirm={() => {
            onChange({ design: null });
            setAsks(null);
          }}
        >
          <p>
            The HTML is kept as it is, but the visual editor can't open it again: its design is removed when
            you save.
          </p>
        </Confirm>
      )}
    </div>
  );
}
