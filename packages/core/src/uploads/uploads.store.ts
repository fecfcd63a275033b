import type { Db } from '../db/index.ts';

export interface NewUpload {
  id: string;
  projectId: string;
  key: string;
  filename: string;
  contentType: string;
  size: number;
}

export async function insertUpload(db: Db, upload: NewUpload): Promise<void> {
  await db.upload.create({ data: upload });
}
