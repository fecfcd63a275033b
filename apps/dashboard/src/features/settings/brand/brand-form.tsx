import { brandFont, contrast, leastContrast } from '@postrider/core/people/projects/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Brand, useAccountApi } from '../../../lib/api.ts';
import { isLeader, useProject } from '../../../lib/current.ts';
import { formatRatio } from '../../../lib/format.ts';
import { useDraft } from '../../../lib/use-draft.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { ColorField } from '../../../ui/color-field.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { Form, FormActions } from '../../../ui/form.tsx';
import { Notice } from '../../../ui/notice.tsx';
import styles from './brand-form.module.css';
import { BrandSample } from './brand-sample.tsx';
import { LogoField } from './logo-field.tsx';

const fontNames: Readonly<Record<Brand['font'], string>> = {
  SYSTEM: 'System font of the reader',
  ARIAL: 'Arial',
  HELVETICA: 'Helvetica',
  VERDANA: 'Verdana',
  TAHOMA: 'Tahoma',
  TREBUCHET: 'Trebuchet MS',
  GEORGIA: 'Georgia',
  TIMES: 'Times New Roman',
  COURIER: 'Courier New',
};

/** The brand with which the design of an email begins, beside a sample that follows each change. */
export function BrandForm() {
  const project = useProject();
  const api = useAccountApi();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const draft = useDraft('brand');
  const [brand, setBrand] = useState<Brand>(project.brand);
  const change = (part: Partial<Brand>) => setBrand((now) => ({ ...now, ...part }));
  const update = useMutation(
    api.projects.update.mutationOptions({
      async onSuccess(saved) {
        draft.saved();
        setBrand(saved.brand);
        await queryClient.invalidateQueries(api.projects.list.queryFilter());
        announce('Brand saved');
      },
    }),
  );
  const disabled = !isLeader(project);
  const textContrast = contrast(brand.textColor, '#ffffff');
  return (
    <Form
      label="Brand"
      failure={useFailure(update.error)}
      draft={draft}
      extra={{ value: brand, restore: (value) => setBrand(value as Brand) }}
      onSubmit={() => update.mutate({ id: project.id, brand })}
    >
      <LogoField
        name="brand.logoUrl"
        value={brand.logoUrl}
        disabled={disabled}
        onChange={(logoUrl) => change({ logoUrl })}
      />
      <div className={styles.colors}>
        <ColorField
          name="brand.primaryColor"
          label="Buttons and links"
          value={brand.primaryColor}
          disabled={disabled}
          onChange={(primaryColor) => change({ primaryColor })}
        />
        <ColorField
          name="brand.textColor"
          label="Text"
          value={brand.textColor}
          disabled={disabled}
          onChange={(textColor) => change({ textColor })}
        />
        <ColorField
          name="brand.backgroundColor"
          label="Background"
          value={brand.backgroundColor}
          disabled={disabled}
          onChange={(backgroundColor) => change({ backgroundColor })}
        />
      </div>
      {textContrast < leastContrast && (
        <Notice tone="warn" title="The text is hard to read">
          <p>
            Its contrast with the white sheet is {formatRatio(textContrast)}:1. Choose a darker colour for at
            least {leastContrast}:1.
          </p>
        </Notice>
      )}
      <SelectField
        name="brand.font"
        label="Font"
        value={brand.font}
        disabled={disabled}
        hint="Fonts that email programs have. Others are not shown by most of them."
        onChange={({ target }) => change({ font: brandFont.parse(target.value) })}
      >
        {brandFont.options.map((font) => (
          <option key={font} value={font}>
            {fontNames[font]}
          </option>
        ))}
      </SelectField>
      <TextField
        name="brand.address"
        label="Postal address"
        value={brand.address ?? ''}
        maxLength={200}
        disabled={disabled}
        placeholder="1 Main Street, London"
        hint="One line for footers. Many countries require it in marketing emails."
        onChange={({ target }) => change({ address: target.value === '' ? null : target.value })}
      />
      <BrandSample brand={brand} projectName={project.name} />
      <FormActions>
        <Button kind="primary" type="submit" pending={update.isPending} disabled={disabled}>
          Save brand
        </Button>
      </FormActions>
    </Form>
  );
}
