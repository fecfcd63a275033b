import type { MailDesign } from '@postrider/core/content/templates/contract';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Room } from '../../../ui/room.tsx';
import { Segments } from '../../../ui/segments.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { offerJump } from './design-jump.ts';
import styles from './design-room.module.css';
import type { NodePath } from './trace-design.rules.ts';

const VisualEditor = lazy(async () => ({ default: (await import('./visual-editor.tsx')).VisualEditor }));

interface DesignRoomProps {
  title: string;
  design: MailDesign;
  onChange: (design: MailDesign) => void;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  /** The email as it is sent, for a device, a scheme and a contact. */
  preview: ReactNode;
}

const views = [
  { value: 'edit', label: 'Edit' },
  { value: 'preview', label: 'Preview' },
] as const;

/** The editor of a design in a room of its own, with one choice between editing and the email as it is sent. */
export function DesignRoom({ title, design, onChange, isOpen, onOpen, preview }: DesignRoomProps) {
  const [view, setView] = useState<'edit' | 'preview'>('edit');
  /** The editor is loaded when it is first opened, and stays. */
  const [wasOpened, setOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setOpened(true);
  const [target, setTarget] = useState<{ path: NodePath } | null>(null);
  useEffect(
    () =>
      offerJump((path) => {
        onOpen(true);
        setView('edit');
        setTarget({ path });
      }),
    [onOpen],
  );
  if (!wasOpened) return null;
  return (
    <Room
      title={title}
      isOpen={isOpen}
      onClose={() => onOpen(false)}
      tools={<Segments label="View" options={views} value={view} onChange={setView} />}
    >
      <div className={styles.view} hidden={view !== 'edit'}>
        <Suspense fallback={<Skeleton />}>
          <VisualEditor design={design} onChange={onChange} target={target} />
        </Suspense>
      </div>
      {view === 'preview' && preview}
    </Room>
  );
}
