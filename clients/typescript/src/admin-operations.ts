// Generated from openapi.yaml by clients/generate.py: change that file, and run it.
import type { CallOptions, Pages } from './http.js';
import type { AccountSelection, AccountWarning, AdminAccount, AdminEmailDomainBlock, AdminIpBlock, AdminReport, AdminUsernameBlock, AuditLog, Cursor, Empty, HeldStatus, Id, IpBlockSeverity, ModeratorNote, Role } from './types.js';

// Each operation is its name, its method, its flags (as in operations.py), and its path, behind /api/v1/ unless it has a slash.
export const TABLE =
  "listAdminAccounts,GET,sl,admin/accounts listAdminAccountsV2,GET,sl,/api/v2/admin/accounts showAdminAccount,GET,s,admin/accounts/{id} deleteAdminAccount,DELETE,s,admin/accounts/{id} actOnAccount,POST,,admin/accounts/{id}/action approveAccount,POST,,admin/accounts/{id}/approve rejectAccount,POST,,admin/accounts/{id}/reject enableAccount,POST,,admin/accounts/{id}/enable unsilenceAccount,POST,,admin/accounts/{id}/unsilence unsensitiveAccount,POST,,admin/accounts/{id}/unsensitive unsuspendAccount,POST,,admin/accounts/{id}/unsuspend listAdminReports,GET,sl,admin/reports showAdminReport,GET,s,admin/reports/{id} updateAdminReport,PUT,s,admin/reports/{id} assignReport,POST,,admin/reports/{id}/assign_to_self unassignReport,POST,,admin/reports/{id}/unassign resolveReport,POST,,admin/reports/{id}/resolve reopenReport,POST,,admin/reports/{id}/reopen deleteAdminStatus,POST,,admin/statuses/{id}/delete markAdminStatus,POST,,admin/statuses/{id}/sensitive listAppeals,GET,sl,admin/appeals listModeratorNotes,GET,s,admin/accounts/{id}/notes addModeratorNote,POST,,admin/accounts/{id}/notes removeModeratorNote,DELETE,s,admin/accounts/{id}/notes/{name} approveAppeal,POST,,admin/accounts/{id}/appeals/{warning}/approve rejectAppeal,POST,,admin/accounts/{id}/appeals/{warning}/reject listAllHeldStatuses,GET,sl,admin/held_statuses approveHeldStatus,POST,,admin/accounts/{id}/held_statuses/{held}/approve rejectHeldStatus,POST,,admin/accounts/{id}/held_statuses/{held}/reject listSelections,GET,s,admin/selections createSelection,POST,,admin/selections showSelection,GET,s,admin/selections/{id} actOnSelection,POST,,admin/selections/{id}/act undoSelection,POST,,admin/selections/{id}/undo listIpBlocks,GET,sl,admin/ip_blocks createIpBlock,POST,,admin/ip_blocks showIpBlock,GET,s,admin/ip_blocks/{id} updateIpBlock,PUT,s,admin/ip_blocks/{id} deleteIpBlock,DELETE,s,admin/ip_blocks/{id} listMailBlocks,GET,sl,admin/email_domain_blocks createMailBlock,POST,,admin/email_domain_blocks showMailBlock,GET,s,admin/email_domain_blocks/{id} deleteMailBlock,DELETE,s,admin/email_domain_blocks/{id} listNameBlocks,GET,sl,admin/username_blocks createNameBlock,POST,,admin/username_blocks showNameBlock,GET,s,admin/username_blocks/{id} deleteNameBlock,DELETE,s,admin/username_blocks/{id} setRole,PUT,s,admin/accounts/{id}/role listAuditLog,GET,s,admin/audit_log";

/** The calls of moderators, by their operationIds in openapi.yaml. */
export interface AdminOperations {
  /**
   * Accounts for moderators. All that is given must hold. Without a name, an e-mail address, a role or a restriction,
   * the 1000 accounts that have signed up last are looked through; by the beginning of a name 500 at most. For the
   * permission Manage Users. `GET /api/v1/admin/accounts`
   */
  listAdminAccounts(args?: {
    /** All accounts are. */
    local?: boolean;
    /** None is. */
    remote?: boolean;
    /** Those that are not suspended. */
    active?: boolean;
    /** Accounts that wait for the approval of their sign-up. */
    pending?: boolean;
    /** None is. */
    disabled?: boolean;
    /** Those that a moderator has limited. */
    silenced?: boolean;
    /** Those that are suspended. */
    suspended?: boolean;
    /** Those that are marked as sensitive. */
    sensitized?: boolean;
    /** Those that have a role. */
    staff?: boolean;
    /** How the user name begins. */
    username?: string;
    /** A part of the display name. */
    display_name?: string;
    /** Finds nothing, since all accounts are of this server. */
    by_domain?: string;
    /** The whole e-mail address. */
    email?: string;
    /** Finds nothing, since addresses are not kept. */
    ip?: string;
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 100 unless given, at most 200. */
    limit?: number;
  }, options?: CallOptions): Pages<AdminAccount>;
  /**
   * Accounts for moderators, by state. All that is given must hold. Without a name, an e-mail address, a role or a
   * restriction, the 1000 accounts that have signed up last are looked through; by the beginning of a name 500 at
   * most. For the permission Manage Users. `GET /api/v2/admin/accounts`
   */
  listAdminAccountsV2(args?: {
    /** `remote` finds nothing. */
    origin?: "local" | "remote";
    /** The state. */
    status?: "active" | "pending" | "disabled" | "silenced" | "suspended" | "sensitized";
    /** `staff`: those that have a role. */
    permissions?: "staff";
    /** Ids of roles, of which an account has one. */
    role_ids?: string[];
    /** Accounts that have signed up with an invitation of this account, among the newest ones. */
    invited_by?: Id;
    /** How the user name begins. */
    username?: string;
    /** A part of the display name. */
    display_name?: string;
    /** Finds nothing, since all accounts are of this server. */
    by_domain?: string;
    /** The whole e-mail address. */
    email?: string;
    /** Finds nothing, since addresses are not kept. */
    ip?: string;
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 100 unless given, at most 200. */
    limit?: number;
  }, options?: CallOptions): Pages<AdminAccount>;
  /**
   * An account for moderators. Also a suspended one. For the permission Manage Users. `GET
   * /api/v1/admin/accounts/{id}`
   */
  showAdminAccount(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<AdminAccount>;
  /**
   * Delete a suspended account for good. Its name is never given to anybody again. 403 unless it is suspended. For the
   * permission Delete User Data. Answers the account as it was. `DELETE /api/v1/admin/accounts/{id}`
   */
  deleteAdminAccount(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<AdminAccount>;
  /**
   * Act on an account. `silence` limits it, `sensitive` marks its new posts, `suspend` suspends it, and `none` does no
   * more than warn. The account is warned in any case; the same act with the same message within an hour warns once.
   * `disable` is refused. The report that is named is resolved, and the warning names its posts. Moderators act on
   * users, admins on moderators too, owners on everybody else; an owner is restricted by nobody. `POST
   * /api/v1/admin/accounts/{id}/action`
   */
  actOnAccount(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    type: "none" | "sensitive" | "silence" | "suspend";
    /** The report for which it is done, which is resolved. */
    report_id?: string;
    /** The message to the account. */
    text?: string;
    /** The reason, for the log alone; without it the log has the message. An extension. */
    why?: string;
    /** Does nothing. */
    warning_preset_id?: string;
    /** Does nothing: the account is always notified, and never by mail. */
    send_email_notification?: boolean;
  }, options?: CallOptions): Promise<Record<string, unknown>>;
  /**
   * Approve an account. The account is an ordinary one from then on, and the tokens of its sign-up are good. 403 when
   * it does not wait for approval. For the permission Manage Users. `POST /api/v1/admin/accounts/{id}/approve`
   */
  approveAccount(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<AdminAccount>;
  /**
   * Reject an account. The account is erased, and its name and address are free again. 403 when it does not wait for
   * approval. For the permission Manage Users. `POST /api/v1/admin/accounts/{id}/reject`
   */
  rejectAccount(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<AdminAccount>;
  /** Enable an account. Changes nothing: no account is disabled. `POST /api/v1/admin/accounts/{id}/enable` */
  enableAccount(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<AdminAccount>;
  /** Lift the limit of an account. Changes nothing when there is none. `POST /api/v1/admin/accounts/{id}/unsilence` */
  unsilenceAccount(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<AdminAccount>;
  /**
   * Take the mark of a sensitive account back. Changes nothing when there is none. `POST
   * /api/v1/admin/accounts/{id}/unsensitive`
   */
  unsensitiveAccount(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<AdminAccount>;
  /** Lift the suspension of an account. 403 when it is not suspended. `POST /api/v1/admin/accounts/{id}/unsuspend` */
  unsuspendAccount(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<AdminAccount>;
  /**
   * Reports of users. The open ones, or the resolved ones. For the permission Manage Reports. `GET
   * /api/v1/admin/reports`
   */
  listAdminReports(args?: {
    /** Whether the resolved ones are wanted. */
    resolved?: boolean;
    /** Reports by this account. */
    account_id?: Id;
    /** Reports of this account. */
    target_account_id?: Id;
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 100 unless given, at most 200. */
    limit?: number;
  }, options?: CallOptions): Pages<AdminReport>;
  /** A report. Open or resolved. `GET /api/v1/admin/reports/{id}` */
  showAdminReport(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<AdminReport>;
  /** Classify a report. There are no rules, so the category `violation` is refused. `PUT /api/v1/admin/reports/{id}` */
  updateAdminReport(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    category?: "spam" | "legal" | "violation" | "other";
    /** Rules that are broken; they make the category `violation`, which needs them. */
    rule_ids?: string[];
  }, options?: CallOptions): Promise<AdminReport>;
  /** Take a report. Also from another moderator. `POST /api/v1/admin/reports/{id}/assign_to_self` */
  assignReport(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<AdminReport>;
  /** Give a report back. So that another moderator takes it. `POST /api/v1/admin/reports/{id}/unassign` */
  unassignReport(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<AdminReport>;
  /**
   * Resolve a report. Its reporter may send another one. The newest 2000 resolved ones are kept. `POST
   * /api/v1/admin/reports/{id}/resolve`
   */
  resolveReport(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<AdminReport>;
  /** Reopen a report. 422 when as many are open as the server keeps. `POST /api/v1/admin/reports/{id}/reopen` */
  reopenReport(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<AdminReport>;
  /**
   * Delete a post. It is deleted as by its author, who is warned. Doing it again changes nothing and answers the same
   * warning; a post that its author has deleted is unknown. The report that is named is resolved. For the permission
   * Manage Reports; moderators act on users, admins on moderators too, and nobody on an owner. `POST
   * /api/v1/admin/statuses/{id}/delete`
   */
  deleteAdminStatus(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** The message to the author. */
    text?: string;
    /** The reason, for the log alone; without it the log has the message. */
    why?: string;
    /** The report for which it is done, which is resolved. */
    report_id?: string;
  }, options?: CallOptions): Promise<AccountWarning>;
  /**
   * Mark a post as sensitive. Whatever its author chooses, also in an edit, until the warning is overturned. Streams
   * get the post as they get an edit. Doing it again changes nothing and answers the same warning. 422 for a repost.
   * Otherwise as the delete. `POST /api/v1/admin/statuses/{id}/sensitive`
   */
  markAdminStatus(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** The message to the author. */
    text?: string;
    /** The reason, for the log alone; without it the log has the message. */
    why?: string;
    /** The report for which it is done, which is resolved. */
    report_id?: string;
  }, options?: CallOptions): Promise<AccountWarning>;
  /**
   * Appeals that wait for a decision. Warnings with their appeals, the newest warning first; at most 5000 wait. One
   * that is decided already was cut off: the same decision again completes it. For the permission Manage Reports. `GET
   * /api/v1/admin/appeals`
   */
  listAppeals(args?: {
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 40 unless told, at most `limits.page-max` (80). */
    limit?: number;
  }, options?: CallOptions): Pages<AccountWarning>;
  /**
   * Notes of moderators on an account. All of them, the newest first. The account itself never reads them. For the
   * permission Manage Users, over the account. `GET /api/v1/admin/accounts/{id}/notes`
   */
  listModeratorNotes(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<ModeratorNote[]>;
  /**
   * Add a note on an account. An account has 100 at most. For the permission Manage Users, over the account. `POST
   * /api/v1/admin/accounts/{id}/notes`
   */
  addModeratorNote(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    text: string;
  }, options?: CallOptions): Promise<ModeratorNote>;
  /**
   * Remove a note on an account. For the permission Manage Users, over the account. `DELETE
   * /api/v1/admin/accounts/{id}/notes/{name}`
   */
  removeModeratorNote(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** The id of the note. */
    name: string;
  }, options?: CallOptions): Promise<Empty>;
  /**
   * Approve an appeal. The warning is overturned: the restriction of the account or the mark of the post is taken
   * back. A deleted post stays deleted. Once: the same decision again answers the same, another one 422. For the
   * permission Manage Reports, over the account. `POST /api/v1/admin/accounts/{id}/appeals/{warning}/approve`
   */
  approveAppeal(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** The id of the warning. */
    warning: string;
    /** The reason, for the log. */
    why?: string;
  }, options?: CallOptions): Promise<AccountWarning>;
  /**
   * Reject an appeal. Nothing else changes. Once: the same decision again answers the same, another one 422. For the
   * permission Manage Reports, over the account. `POST /api/v1/admin/accounts/{id}/appeals/{warning}/reject`
   */
  rejectAppeal(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** The id of the warning. */
    warning: string;
    /** The reason, for the log. */
    why?: string;
  }, options?: CallOptions): Promise<AccountWarning>;
  /**
   * Posts that wait for a moderator. The newest first; at most 2000 wait, each for 14 days. Posts of accounts that are
   * suspended end when they are listed. For the permission Manage Reports. `GET /api/v1/admin/held_statuses`
   */
  listAllHeldStatuses(args?: {
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 40 unless told, at most `limits.page-max` (80). */
    limit?: number;
  }, options?: CallOptions): Pages<HeldStatus>;
  /**
   * Approve a post that waits. A job publishes it within seconds, once, or at the time for which its author has
   * scheduled it. 404 when it waits no more, 422 while its author is suspended. For the permission Manage Reports,
   * over the account. `POST /api/v1/admin/accounts/{id}/held_statuses/{held}/approve`
   */
  approveHeldStatus(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** The id of the post that waits. */
    held: string;
    /** Whether later posts of the account are not looked through any more. */
    trust?: boolean;
    /** The reason, for the log. */
    why?: string;
  }, options?: CallOptions): Promise<Empty>;
  /**
   * Reject a post that waits. It is not published, and its author gets an AccountWarning of the action `none` with the
   * message. 404 when it waits no more. For the permission Manage Reports, over the account. `POST
   * /api/v1/admin/accounts/{id}/held_statuses/{held}/reject`
   */
  rejectHeldStatus(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** The id of the post that waits. */
    held: string;
    /** The message to the author. */
    text?: string;
    /** The reason, for the log; without it the log has the message. */
    why?: string;
  }, options?: CallOptions): Promise<Empty>;
  /**
   * Selections of accounts. The newest first, without their accounts. One without an act is kept for an hour, another
   * for 48 hours after its act or its undo. For the permission Manage Users. `GET /api/v1/admin/selections`
   */
  listSelections(args?: Record<string, never>, options?: CallOptions): Promise<AccountSelection[]>;
  /**
   * Select many accounts. At least one criterion is given, and an account must meet all of them. Nothing happens to
   * the accounts. At most 5000 are selected, the earliest sign-ups; a search takes 3 seconds at most. At most 200
   * selections are kept. For the permission Manage Users. `POST /api/v1/admin/selections`
   */
  createSelection(args?: {
    /**
     * An address or a network that they have signed up from, such as `192.0.2.0/24`: IPv4 from /16 on, IPv6 from /40
     * to /64. Kept for `auth.sign-up-address-days`.
     */
    signed_up_from?: string;
    /** The id of an account; they have signed up from the same address as it, or the same IPv6 /64. */
    signed_up_like?: string;
    /** With `signed_up_like`: from the same IPv4 /24 or IPv6 /48. */
    wide?: boolean;
    /** The earliest sign-up. */
    signed_up_since?: string;
    /** The latest sign-up. */
    signed_up_until?: string;
    /**
     * At least 3 characters of a public or unlisted post of the last 24 hours, in any case and spacing: plain text
     * without patterns. The newest 50,000 events of the log are looked through.
     */
    text?: string;
    /** Names of active accounts. */
    usernames?: string[];
  }, options?: CallOptions): Promise<AccountSelection>;
  /**
   * A selection of accounts. With its first accounts, and how far the act on it is. For the permission Manage Users.
   * `GET /api/v1/admin/selections/{id}`
   */
  showSelection(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<AccountSelection>;
  /**
   * Act on all accounts of a selection. A job changes them, 50 at a time; accounts that the role of the moderator does
   * not reach are left out. Each account that is changed gets a warning. Once: the same act again makes sure of its
   * job, another one answers 422. For the permission Manage Users. `POST /api/v1/admin/selections/{id}/act`
   */
  actOnSelection(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    type: "sensitive" | "silence" | "suspend";
    /** The message to each account, in its warning. */
    text?: string;
    /** The reason, for the log; without it the log has the message. */
    why?: string;
  }, options?: CallOptions): Promise<AccountSelection>;
  /**
   * Undo the act on a selection. Within 24 hours of its begin, also while it runs. A job lifts the restriction from
   * each account that the act has restricted, unless somebody has acted on that restriction since. Warnings stay. For
   * the permission Manage Users. `POST /api/v1/admin/selections/{id}/undo`
   */
  undoSelection(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** The reason, for the log. */
    why?: string;
  }, options?: CallOptions): Promise<AccountSelection>;
  /** Blocks of networks. At most 10000. For the permission Manage Blocks. `GET /api/v1/admin/ip_blocks` */
  listIpBlocks(args?: {
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 100 unless given, at most 200. */
    limit?: number;
  }, options?: CallOptions): Pages<AdminIpBlock>;
  /**
   * Block a network. `no_access` refuses every request and ends open streams, the others refuse sign-ups. Each process
   * follows within two seconds. A network that contains your own address or the server itself is refused, and one of
   * less than 8 bits (IPv6: 16). For the permission Manage Blocks. `POST /api/v1/admin/ip_blocks`
   */
  createIpBlock(args: {
    /** A network such as `192.0.2.0/24` or `2001:db8::/48`; an address of IPv6 alone stands for its /64. */
    ip: string;
    /** `sign_up_requires_approval`: accounts of the network wait for the approval of a moderator. */
    severity: IpBlockSeverity;
    comment?: string;
    /** Seconds from now; 0 or nothing = the block has no end. */
    expires_in?: number;
  }, options?: CallOptions): Promise<AdminIpBlock>;
  /** A block of a network. For the permission Manage Blocks. `GET /api/v1/admin/ip_blocks/{id}` */
  showIpBlock(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<AdminIpBlock>;
  /**
   * Change a block of a network. Fields that are left out stay. For the permission Manage Blocks. `PUT
   * /api/v1/admin/ip_blocks/{id}`
   */
  updateIpBlock(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    ip?: string;
    /** `sign_up_requires_approval`: accounts of the network wait for the approval of a moderator. */
    severity?: IpBlockSeverity;
    comment?: string;
    /** Seconds from now; 0 = the block has no end. */
    expires_in?: number;
  }, options?: CallOptions): Promise<AdminIpBlock>;
  /** Remove a block of a network. For the permission Manage Blocks. `DELETE /api/v1/admin/ip_blocks/{id}` */
  deleteIpBlock(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Empty>;
  /** Blocks of mail domains. At most 10000. For the permission Manage Blocks. `GET /api/v1/admin/email_domain_blocks` */
  listMailBlocks(args?: {
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 100 unless given, at most 200. */
    limit?: number;
  }, options?: CallOptions): Pages<AdminEmailDomainBlock>;
  /**
   * Block a mail domain. Refuses sign-ups with an address of the domain or of a domain below it. Accounts that exist
   * stay. For the permission Manage Blocks. `POST /api/v1/admin/email_domain_blocks`
   */
  createMailBlock(args: {
    domain: string;
    /** The reason, for the log. */
    comment?: string;
  }, options?: CallOptions): Promise<AdminEmailDomainBlock>;
  /** A block of a mail domain. For the permission Manage Blocks. `GET /api/v1/admin/email_domain_blocks/{id}` */
  showMailBlock(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<AdminEmailDomainBlock>;
  /** Remove a block of a mail domain. For the permission Manage Blocks. `DELETE /api/v1/admin/email_domain_blocks/{id}` */
  deleteMailBlock(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Empty>;
  /** Blocks of user names. At most 1000. For the permission Manage Blocks. `GET /api/v1/admin/username_blocks` */
  listNameBlocks(args?: {
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 100 unless given, at most 200. */
    limit?: number;
  }, options?: CallOptions): Pages<AdminUsernameBlock>;
  /**
   * Block a user name. Refuses sign-ups with the name; up to four stars stand for any letters. Accounts that exist
   * stay. For the permission Manage Blocks. `POST /api/v1/admin/username_blocks`
   */
  createNameBlock(args: {
    /** A name, in which up to four stars stand for any letters, such as `casino*`. */
    username: string;
    comment?: string;
  }, options?: CallOptions): Promise<AdminUsernameBlock>;
  /** A block of a user name. For the permission Manage Blocks. `GET /api/v1/admin/username_blocks/{id}` */
  showNameBlock(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<AdminUsernameBlock>;
  /** Remove a block of a user name. For the permission Manage Blocks. `DELETE /api/v1/admin/username_blocks/{id}` */
  deleteNameBlock(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Empty>;
  /**
   * Give an account a role. From the next request of the account on. An admin makes moderators of users and users of
   * moderators; an owner makes all roles. Everybody with a role may give it up, and nobody raises their own. The only
   * owner keeps the role until there is another. `PUT /api/v1/admin/accounts/{id}/role`
   */
  setRole(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    role: "user" | "moderator" | "admin" | "owner";
    /** The reason, for the log. */
    why?: string;
  }, options?: CallOptions): Promise<Role>;
  /**
   * What moderators and operators did. Newest first: who did what to whom, when and why, of the API, the command line
   * and the console. The newest `log.audit-entries` acts are kept. For every role but `user`. `GET
   * /api/v1/admin/audit_log`
   */
  listAuditLog(args?: {
    /** Only what is older than this: `next` of the answer before. */
    max_id?: string;
    /** Acts of this account alone. */
    by_account_id?: Id;
    /** Acts on this account alone. */
    target_account_id?: Id;
    /** Acts whose `action` begins so. */
    action?: string;
    /** How many at most. */
    limit?: number;
  }, options?: CallOptions): Promise<AuditLog>;
}
