import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../lib/api.ts';
import { useProject } from '../../../lib/current.ts';
import { type Failure, failureOf } from '../../../lib/failure.ts';
import { type UploadedImage, uploadImage } from '../../../lib/rest.ts';
import { useAnnounce } from '../../../ui/announce.tsx';

/** An upload that runs or has failed. */
export interface Upload {
  id: string;
  name: string;
  percent: number;
  failure: Failure | null;
}

/** Uploads images and shows how far each is. @param onUploaded called for each that is stored and listed */
export function useImageUploads(onUploaded?: (image: UploadedImage) => void) {
  const api = useApi();
  const { id: projectId } = useProject();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [uploads, setUploads] = useState<Upload[]>([]);
  const change = (id: string, part: Partial<Upload>) =>
    setUploads((all) => all.map((each) => (each.id === id ? { ...each, ...part } : each)));
  const dismiss = (id: string) => setUploads((all) => all.filter((each) => each.id !== id));

  const start = async (file: File) => {
    const id = crypto.randomUUID();
    setUploads((all) => [...all, { id, name: file.name, percent: 0, failure: null }]);
    try {
      const image = await uploadImage({
        projectId,
        file,
        onProgress: (percent) => change(id, { percent }),
      });
      await queryClient.invalidateQueries(api.uploads.pathFilter());
      dismiss(id);
      announce(`${image.filename} uploaded`);
      onUploaded?.(image);
    } catch (error) {
      change(id, { failure: failureOf(error) });
    }
  };
  return {
    uploads,
    dismiss,
    upload(files: Iterable<File>) {
      for (const file of files) void start(file);
    },
  };
}
