/** Members of a project: how the screen looks, and what it says where the server refuses one. */
import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { openApp } from '../../support/renderer-app.ts';
import { companyHost } from '../../support/renderer-company.ts';
import { to } from '../../support/renderer-host.ts';
import { look } from '../../support/renderer-looks.ts';
import { slow } from '../../support/slow.ts';

slow(
  'looks: members in both themes, 1024x640 and 200 % zoom, by axe; a refusal says why',
  async () => {
    const { host, records } = companyHost();
    await openApp({ host, at: '/members' });
    const list = page.getByRole('list', { name: 'Project members' });
    await expect.element(list.getByText('Maria Kovacs')).toBeVisible();
    host.up = false;
    await page.getByRole('button', { name: 'Add members' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabelText('Ana Lopez', { exact: true }).click();
    await dialog.getByRole('button', { name: /^Add \d+ / }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(page.getByText(/1 person added\./)).toBeVisible();
    // Someone else was faster, so the server refuses to add a person who is already a member.
    records.members.push({ id: 1021, party_id: 21, project_id: 10 });
    host.faults.push({
      at: 'before',
      on: to('project_memberships.create'),
      problem: {
        kind: 'refused',
        status: 422,
        messages: [],
        fields: { 'project_membership.party_id': ['is a member already'] },
      },
    });
    host.up = true;
    await openApp({ host, at: '/members' });
    const refused = list.getByRole('listitem').filter({ hasText: 'Ana Lopez' });
    await expect.element(refused.getByText(/Needs attention/)).toBeVisible();
    await expect.element(refused.getByText(/is a member already/)).toBeVisible();
    // A person who has left the company can still be a member of the project.
    const left = page.getByText('No longer in your company’s lists', { exact: true });
    await expect.poll(() => left.elements()).toHaveLength(2);
    await look('members');
    await page.getByRole('button', { name: 'Add members' }).click();
    await expect.element(dialog).toBeVisible();
    await look('members-add');
    await userEvent.keyboard('{Escape}');
    await page.getByRole('button', { name: 'Cancel sending: Ana Lopez' }).click();
    await expect.element(refused.getByText(/Needs attention/)).not.toBeInTheDocument();
    await expect.poll(() => host.journal.size).toBe(0);
  },
);
