import type { Template } from '../../../lib/api.ts';
import { Button } from '../../../ui/button.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { EventOfEmails } from '../../mail-editor/variables/use-variables.ts';
import { EditTemplateForm } from '../../templates/edit-template-form.tsx';

interface TemplateSheetProps {
  template: Template;
  /** the event that starts the workflow, whose data the email can use */
  eventName: string | undefined;
  onClose: () => void;
}

/** Edits the email of a step without leaving the canvas. */
export const TemplateSheet = ({ template, eventName, onClose }: TemplateSheetProps) => (
  <Sheet title={`Edit “${template.name}”`} onClose={onClose}>
    <EventOfEmails value={eventName}>
      <EditTemplateForm
        template={template}
        onSaved={onClose}
        cancel={<Button onClick={onClose}>Cancel</Button>}
      />
    </EventOfEmails>
  </Sheet>
);
