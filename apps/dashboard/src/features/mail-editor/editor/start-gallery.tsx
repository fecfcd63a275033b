import {
  compileDesign,
  type Design,
  type DesignNode,
  type MailDesign,
  type StarterName,
  starterDesign,
  starters,
} from '@postrider/core/content/templates/contract';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Template, useApi, useApiClient } from '../../../lib/api.ts';
import { useProject } from '../../../lib/current.ts';
import { failureOf } from '../../../lib/failure.ts';
import { keysOf } from '../../../lib/keys-of.ts';
import { useSearchText } from '../../../lib/use-search-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { ListFrame } from '../../../ui/list-frame.tsx';
import { picturedText } from '../../../ui/mail-picture.rules.ts';
import { FailureNotice } from '../../../ui/notice.tsx';
import { Segments } from '../../../ui/segments.tsx';
import { GalleryTiles } from './gallery-tiles.tsx';

/** What an email begins with again: all of a template but its sender, or the design of a starter alone. */
export type Start = { name: string; body: string; design: Design | null } & Partial<
  Pick<Template, 'subject' | 'preheader' | 'text'> & { templateId: string }
>;

interface StartGalleryProps {
  /** The subject of the email, which becomes the title of the document. */
  subject: string;
  onPick: (start: Start) => void;
  onClose: () => void;
}

const sources = [
  { value: 'starters', label: 'Starters' },
  { value: 'templates', label: 'Your templates' },
] as const;

/** What an email can begin with: designs for common purposes, and the templates of the project. */
export function StartGallery({ subject, onPick, onClose }: StartGalleryProps) {
  const [source, setSource] = useState<'starters' | 'templates'>('starters');
  return (
    <Dialog title="Choose a template" onClose={onClose} wide>
      <div>
        <Segments label="Begin with" options={sources} value={source} onChange={setSource} />
      </div>
      {source === 'starters' ? <Starters subject={subject} onPick={onPick} /> : <Templates onPick={onPick} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
      </DialogActions>
    </Dialog>
  );
}

function Starters({ subject, onPick }: Pick<StartGalleryProps, 'subject' | 'onPick'>) {
  const project = useProject();
  const compile = (design: MailDesign) => compileDesign(design, { subject, language: project.language });
  const designOf = (name: StarterName) => starterDesign(name, project);
  return (
    <GalleryTiles
      label="Starters"
      tiles={keysOf(starters).map((id) => ({
        id,
        name: starters[id].name,
        note: starters[id].description,
        html: compile(withPlaceholders(designOf(id))),
      }))}
      onPick={(id) =>
        onPick({
          name: starters[id].name,
          body: compile(designOf(id)),
          design: { ...designOf(id) },
        })
      }
    />
  );
}

const placeholder: DesignNode = {
  type: 'html',
  attrs: {
    html: '<div style="height:140px;margin:0 0 20px;border-radius:8px;background-color:#dedbd3"></div>',
  },
};

/** With a grey place for each image that is still to be chosen: an email itself has nothing there. */
function withPlaceholders(design: MailDesign): MailDesign {
  const visit = (node: DesignNode): DesignNode => {
    if (node.type === 'image' && !node.attrs?.['src']) return placeholder;
    return { ...node, ...(node.content && { content: node.content.map(visit) }) };
  };
  return { ...design, content: visit(design.content) };
}

const pageSize = 24;

function Templates({ onPick }: Pick<StartGalleryProps, 'onPick'>) {
  const [text, setText, search] = useSearchText();
  const client = useApiClient();
  const list = useQuery({
    ...useApi().templates.list.queryOptions({
      pageSize,
      sort: 'updatedAt',
      dir: 'desc',
      ...(search && { search }),
    }),
    placeholderData: keepPreviousData,
  });
  const templates = list.data?.data ?? [];
  const total = list.data?.total ?? 0;
  /** Lists have no designs. */
  const pick = useMutation({
    mutationFn: (id: string) => client.templates.get.query({ id }),
    onSuccess: ({ id, name, body, design, subject, preheader, text: plain }) =>
      onPick({ name, body, design: design ?? null, subject, preheader, text: plain, templateId: id }),
  });
  return (
    <>
      {pick.error && <FailureNotice failure={failureOf(pick.error)} />}
      <ListFrame
        label="Templates"
        search={{ label: 'Search templates', text, onChange: setText }}
        query={list}
        shown={templates.length}
        isFiltered={search !== ''}
        onClear={() => setText('')}
        empty={{
          icon: 'template',
          title: 'No templates yet',
          text: <p>Save an email as a template to begin others with it.</p>,
        }}
        {...(total > templates.length && { aside: `${templates.length} of ${total}, newest first` })}
      >
        <GalleryTiles
          label="Your templates"
          tiles={templates.map(({ id, name, subject, body }) => ({
            id,
            name,
            note: picturedText(subject),
            html: body,
          }))}
          onPick={(id) => pick.mutate(id)}
        />
      </ListFrame>
    </>
  );
}
