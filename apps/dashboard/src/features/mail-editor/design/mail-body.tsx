import {
  compileDesign,
  defaultDesign,
  type MailDesign,
  readDesign,
} from '@postrider/core/content/templates/contract';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useProject } from '../../../lib/current.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/dialog.tsx';
import { DesignRoom } from './design-room.tsx';
import styles from './mail-body.module.css';
import { parseDesign, writeDesign } from './parse-design.ts';

interface Body {
  body: string;
  design: Record<string, unknown> | null;
}

/** The part of an email that is written: what people see, or its plain text. */
export type MailPart = 'html' | 'text';

interface MailBodyProps extends Body {
  /** The subject, which becomes the title of the document. */
  subject: string;
  onChange: (change: Partial<Body>) => void;
  part: MailPart;
  onPart: (part: MailPart) => void;
  /** Asks for a template to begin with. */
  onChoose: () => void;
  /** Tools of the editor of the HTML, shown beside the choice of the editor. */
  tools: ReactNode;
  /** The editor of the HTML. */
  code: ReactNode;
  /** The editor of the plain text; null where that is made from the HTML. */
  text: ReactNode;
  /** The preview inside the editor of the design. */
  preview: ReactNode;
}

/**
 * The body in one of two ways: as a design, which its HTML is made from, or as HTML. The change from one to the other is asked for where it
 * loses something, and can be undone. The plain text is beside them; what is not shown stays in the form.
 */
export function MailBody(props: MailBodyProps) {
  const {
    body,
    design: stored,
    subject,
    onChange,
    part,
    onPart,
    onChoose,
    tools,
    code,
    text,
    preview,
  } = props;
  const project = useProject();
  const announce = useAnnounce();
  const [asks, setAsks] = useState<'code' | 'visual' | null>(null);
  const [isOpen, setOpen] = useState(false);
  /** What was left for HTML: its design is opened again, rather than a new one. */
  const [left, setLeft] = useState<Body | null>(null);
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
    const replaced = body;
    if (left) onChange(left);
    else store(defaultDesign(project));
    setAsks(null);
    setOpen(true);
    if (replaced.trim() !== '' && replaced !== left?.body)
      announce('The design has replaced the HTML', 'done', {
        label: 'Undo',
        run() {
          onChange({ body: replaced, design: null });
          setOpen(false);
        },
      });
  };
  return (
    <div className={styles.body}>
      <div className={styles.head}>
        <fieldset className={styles.modes} aria-label="Editor">
          <button
            type="button"
            aria-pressed={part === 'html' && design !== null}
            onClick={() => {
              onPart('html');
              if (design !== null) return;
              if (body.trim() === '' || body === left?.body) startDesign();
              else setAsks('visual');
            }}
          >
            Visual
          </button>
          <button
            type="button"
            aria-pressed={part === 'html' && design === null}
            onClick={() => {
              onPart('html');
              if (design !== null) setAsks('code');
            }}
          >
            Code
          </button>
          {text !== null && (
            <button type="button" aria-pressed={part === 'text'} onClick={() => onPart('text')}>
              Plain text
            </button>
          )}
        </fieldset>
        {part === 'html' && design === null && tools}
        <span className={styles.actions}>
          <Button icon="template" onClick={onChoose}>
            Choose a template
          </Button>
          {part === 'html' && design !== null && (
            <Button kind="primary" icon="pencil" onClick={() => setOpen(true)}>
              Edit email
            </Button>
          )}
        </span>
      </div>
      <div className={styles.part} hidden={part !== 'text'}>
        {text}
      </div>
      <div className={styles.part} hidden={part !== 'html'}>
        {design ? (
          <textarea
            hidden
            name="body"
            value={body}
            onChange={({ target }) => onChange({ body: target.value })}
          />
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
      {design && (
        <DesignRoom
          title={subject.trim() || 'Email'}
          design={design}
          onChange={store}
          isOpen={isOpen}
          onOpen={setOpen}
          preview={preview}
        />
      )}
      {asks === 'visual' && (
        <Confirm
          title={left ? 'Open the design again?' : 'Start a visual design?'}
          action="Replace the HTML"
          pending={false}
          failure={null}
          onClose={() => setAsks(null)}
          onConfirm={startDesign}
        >
          <p>
            {left
              ? 'The design is opened as it was before you edited its HTML, and replaces the HTML of this email.'
              : 'The design begins with the default layout and replaces the HTML of this email.'}
          </p>
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
            setLeft({ body, design: stored });
            onChange({ design: null });
            setAsks(null);
          }}
        >
          <p>
            The HTML is kept as it is, but the visual editor can't open it again after you have left this
            page: its design is removed when you save.
          </p>
        </Confirm>
      )}
    </div>
  );
}
