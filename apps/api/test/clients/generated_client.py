"""Calls three endpoints through a client made from /openapi.json, and prints what they answer."""

import io
import json
import sys
from uuid import UUID

from postrider import AuthenticatedClient
from postrider.api.contacts import contacts_import
from postrider.api.domains import domains_list
from postrider.api.segments import segments_remove_members
from postrider.models import ContactsImportBody, QueuedJob, RemovedMembers, SegmentsRemoveMembersBody
from postrider.types import File

base_url, key, project_id, segment_id = sys.argv[1:]
client = AuthenticatedClient(base_url=base_url, token=key)

csv = io.BytesIO(b"email\nfrom-python@example.com\n")
file = File(payload=csv, file_name="contacts.csv", mime_type="text/csv")
imported = contacts_import.sync(client=client, body=ContactsImportBody(file=file))
assert isinstance(imported, QueuedJob), imported

body = SegmentsRemoveMembersBody(emails=["python@example.com"])
removed = segments_remove_members.sync(UUID(segment_id), client=client, body=body)
assert isinstance(removed, RemovedMembers), removed

domains = domains_list.sync(UUID(project_id), client=client)
assert isinstance(domains, list), domains

print(
    json.dumps(
        {
            "jobId": str(imported.job_id),
            "removed": removed.removed,
            "domains": [each.domain for each in domains],
        }
    )
)
