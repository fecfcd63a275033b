import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Contact, useApiClient } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import type { Action } from '../../../ui/menu.tsx';
import { ChooseSegment, type ChosenSegment, useChosenSegment } from './choose-segment.tsx';
import { contactName } from './contact-name.ts';
import { useRefreshContacts } from './use-refresh-contacts.ts';

/** Adds one contact to a static segment. */
export function useAddContactToSegment(contact: Contact): Action {
  const { segments } = useApiClient();
  const announce = useAnnounce();
  const refresh = useRefreshContacts();
  const idOf = useChosenSegment();
  const [asked, setAsked] = useState(false);
  const add = useMutation({
    async mutationFn(segment: ChosenSegment) {
      await segments.addMembers.mutate({ id: await idOf(segment), emails: [contact.email] });
      return segment.name;
    },
    async onSuccess(name) {
      await refresh();
      setAsked(false);
      announce(`Added to ${name}`);
    },
  });
  return {
    label: 'Add to segment',
    icon: 'segment',
    run() {
      add.reset();
      setAsked(true);
    },
    dialog: asked && (
      <ChooseSegment
        title={`Add ${contactName(contact)} to a segment`}
        action="Add"
        pending={add.isPending}
        failure={add.error ? failureOf(add.error) : null}
        onChoose={(segment) => add.mutate(segment)}
        onClose={() => setAsked(false)}
      />
    ),
  };
}
