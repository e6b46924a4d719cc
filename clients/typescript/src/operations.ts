// Generated from openapi.yaml by clients/generate.py: change that file, and run it.
import type { CallOptions, Pages } from './http.js';
import type { Account, AccountEntry, AccountWarning, Activity, Address, Announcement, Application, ArticleGroup, AuthorizationServer, Availability, Challenge, Context, Conversation, Count, CredentialAccount, CredentialApplication, Cursor, CustomEmoji, DeletedStatus, Empty, Factor, FamiliarFollowers, FeaturedTag, Filter, FilterContexts, FilterKeyword, FilterStatus, GroupName, GroupedNotifications, HeldStatus, Id, InstanceV1, InstanceV2, Invitation, ListedToken, Markers, MediaAttachment, MutedAccount, NewFactor, NodeInfo, NodeInfoLinks, Notification, NotificationPolicy, NotificationRequest, Poll, Preferences, PushData, QuotePolicy, RecoveryCodes, Relationship, RelationshipOrError, Report, Rules, ScheduledStatus, Search, SiteText, Status, StatusEdit, StatusSource, Suggestion, Tag, TermsOfService, Token, UserList, Visibility, WebFinger, WebPushSubscription } from './types.js';

// Each operation is its name, its method, its flags (as in operations.py), and its path, behind /api/v1/ unless it has a slash.
// Marks stand for words, in the table and in the words after them: the first MARKS words have marks above ASCII, the others follow theirs.
export const TABLE = `c9a8App%,apps ÑApp!,app;ÑĀ~TÓ%,/ú/tÓ Åģ/ú/Å*AÈa3Server¸ú-aÈa3-server~A&%k,a&s(A&?,a&sĖPđ%·pđ*Add9sĥæĖAdd9ss%·æ s^dCø%,æ;cøs ýCø!,æ;ý_cø>A&%·dele8(TÓ?,tÓs ^dTÓ+,tÓ"(Allðl[ ^dOtherðÅ_others ^dAnyģtÓ"/Å*CČ!·cČ*Faî!,faî begin® ^ï®/^ï c¿®/c¿ 9newCodes%,faî/codes disï®/disï ýAvailability!·availï ÑCÂĥÑĀ´CÂsĆ·upda8Ā ĞA&!·Ğ ÒA&ĥÒ*A&!,a&"(A&S'e?l:Í(A&CÊ?l:ġ(Reċĥ9ċs(FĒF1erĥfĒ_üer?l:üÔ!l:f1Ô(CommonF1Ô!l:common_f1Ô f1»íùf1 ąF1er%s:ą_from_f1ers Ë»ËÐËùË å»ėùå no8»no8 ^½»^½Ð^½ù^½(EnâÎ^âs(EnâsOf!l:^âsõ?,Ás fJÖ%,ÁsõS¾?,Á;s¾sÐfJÖ+,Á"õsOf!:Ás ßfJÐßunfJ(F1edÖÎf1ed_Ċs f1Ö²íÖ²unf1(F1R5Îf1_r5s aÈeÛaÈe 9jectÛ9ject~Report%,9ports(IÀ?Ĩs~IÀ%Ĩs ÅIÀ+Ĩ±(WçÎwçs ĢWç%,wç"/Ģ f1ēíēunf1(BlockÎËs(Mu8Îås(S'e?,Í~S'%k,Í*S'!,Ã editS'|,Ã>S'+,Ã*Source!6source(Edit?6h[ory*Con8xt!6con8xt čºčÐčëč ĐºĐÐĐëĐ pinºpinÐpinëpin åºėëå(CYÎcYs>CY+,cY" à9adÐàun9ad ÚS'%k6ÚÐÚëÚ(F°Ġčd_by(RebloggeĠÚged_by(Quo8?l6quo8s ÅQuo8%s6quo8±/Å setIĝPµ|6iĝ_pµ(CÊ?l6ġ~CÊ%k6ġ(F°Îčs(B¯ÎĐs @AĜ!b,@;aĜ.zip @F1Ùf1ÉBlockÙËÉMu8ÙåÉL[Ùl[ÉB¯ÙĐs.csv*Home³home(F4?Ïs~F4%Ïs*F4!Ï"´F4|Ï">F4+Ï"(ò?÷k]sĪò%÷k]s*ò!ê´ò|ê>ò+ê(Ąe?÷ÍĪĄ%÷Í*Ą!Ï;Ã>Ą+Ï;Ã(L[?,l[s~L[%,ğ!ħ´L[|ħ>L[+ħ(ĤÎÝĪĤs%,Ý ąĤs+,Ý(L[sWith!:ğTimeline³l[/{id}*Public³public*Ö³Ċ/{Ċ}*ÖEntity!,Ċ;{Ċ}(T9ndÔÖĔĊs(T9ndĔÍ(A7Îa7s~A7%k,a7s(BestA7?,a7;best*A7!,a7" ęForA7%,ÿę(Vo8rÎÿęrs putA7Into¶|,ÿÞ takeA7OutOf¶+,ÿÞ(¶?,groups(A7sOf¶!l,Þ/a7s*Mè?,mès setMès%s,mès*×!Æ~×%Æ´×|Æ>×+Æ(N#ÎöN#?,ÄN#s%,ä!,n#" =N#%,n#"/=*ă!á´ăĆá pută|á(Ø?l¼s*MergedØ?¼;merged ÕĈÕ =Ĉ=*Ø!¼" ÕĉÕ =ĉ=(ì?l)öì?)Äìs%)ä¶!ć(N#¶A&?lć/a&s =N#¶%ć/= =S¾+,s¾"(S¾?)s¾s(Di9îy!,di9îy Ò!)Ò~SĚTicket%s,sĚ/tickets*IÜ<*IÜV2!)iÜ(Aď</aď*WebFÔer¸webfÔer(Ă¸û*Ă!,/û/2.0~é%)media*é!Ç´é|Ç>é+Ç>Avataãavatar>Headeãheader(A¹?,a¹s =A¹%,a¹"/=(CustomEmoji?,custom_emojis*Pĕ?,pĕs*Poll!Ħ ęPoll%Ħ/ęs(āeÎsZ_Í*ā!ó´ā|ó>ā+ó(ñe?ôÍ*ñ!ôÃ>ñ+ôÃ(Rules</rules*EĘDĎ</eĘ_dĎ*PěPµ</pě_pµĩÌĩOfÌ/{id}(Lþ</lþ`;
export const MARKS = 125;
export const WORDS = ` add
*Terms
,iÀ
,l["
,poll"
?·
L[A&
TÓ%s,
appeal
cÊs
dBy!l6
l[s*L[
lookup
n8rac3
rchive
rivacy
t9amÔ
vo8
x8nded
åÐå
 change
9fe9nce
?,t9nd;
A&s%s·
amiliar
assword
b¯
ctivity
escrip3
f°
hall^ge
la3ship
tag
Ø%¼"/
Øs%¼;
)n#±
,PATCH,s
9move
F4S'
N#Pµ
NodeInfo
SZS'
_cÂs
a7"/
anguages
check
f1ers(F1
nodeinfo
oauth
»un
¿a3
Ï"/
n#s count
(FJdÖ
,held_
,sZ_Ã
F4K]
HeldS'
TÓs%,tÓ;
able
ctor
f1Ðf1
¶edN#
ºun
Ï;k]"
Media
arker
arnÔ
email
mu8
n#;clear*N#
r+,profile/
½m^t
)n#;pµ
9adCY%s,cY"/
fJÖByName²
group±
l["/a&s
nstance
F1R5%,f1_r5"/
9blog
?b,@;
N#R5
PushSX
Tag
accept
ing
ok^
search
verify
 un
)f4
?l,
s'es
</8rms_of_service
block
omm^t
s.csv @
uthoriz
,media/{id}
,push/sX
9voke
n#;un9ad_count clear
s'e"
9d^tial
fJd_tag
nvita3
onfirm
ugges3
dorse
,n#;r5
A&%s:
S'%s6
nnouncem^t
!,/.well-known/
,a&;
Group
olicy
 upda8
!l,timeline;
%s,tag;{tag}/
;{name}
avouri8
ookmark
Factor%,factor
~ c9a8
|,PUT,s
^en
]eyword
[ist
Zcheduled
Yonversa3
Xubscrip3
Jeatu9
@export
?s!
> dele8
=dismiss
<!,instance
;s/
:,a&"/
9re
8te
7rticle
6,s'e"/
5equest
4ilter
3tion
1ollow
+,DELETE,s
* show
),/api/v2/
( list
'tatus
&ccount
%,POST,
#otification
"s/{id}
!,GET,s`;

/** The calls of the API, by their operationIds in openapi.yaml. */
export interface Operations {
  /**
   * Register a client application. Nobody needs to be logged in. `scopes` bounds what its tokens can be for. `POST
   * /api/v1/apps`
   */
  createApp(args: {
    client_name: string;
    /**
     * At most 5 URIs of 500 characters, with white space between; a list of them is taken, too. Of each: https, http
     * on localhost, 127.0.0.1 or [::1], or a scheme of the app's own; `urn:ietf:wg:oauth:2.0:oob` shows the code
     * instead.
     */
    redirect_uris: string;
    scopes?: string;
    website?: string;
  }, options?: CallOptions): Promise<CredentialApplication>;
  /**
   * The application of this token. 404 for a token that was made without an application. `GET
   * /api/v1/apps/verify_credentials`
   */
  verifyApp(args?: Record<string, never>, options?: CallOptions): Promise<Application>;
  /**
   * Get a token. Answers to the password grant can be read by no page of another site (no `Access-Control-Allow-
   * Origin`), and a request of one is refused with 403. `POST /oauth/token`
   */
  createToken(args: {
    grant_type: "authorization_code" | "client_credentials" | "password";
    /** Or by HTTP Basic, with the secret. */
    client_id: string;
    client_secret: string;
    redirect_uri?: string;
    scope?: string;
    /** For authorization_code. */
    code?: string;
    /** For authorization_code with PKCE (S256). */
    code_verifier?: string;
    /** For password: name or e-mail address. */
    username?: string;
    password?: string;
  }, options?: CallOptions): Promise<Token>;
  /** End a token. What is no token, or no more, counts as ended. `POST /oauth/revoke` */
  revokeToken(args: {
    client_id?: string;
    client_secret?: string;
    token: string;
  }, options?: CallOptions): Promise<Empty>;
  /**
   * What OAuth can do here. For clients that look for the addresses and grants (RFC 8414). `GET /.well-known/oauth-
   * authorization-server`
   */
  showAuthorizationServer(args?: Record<string, never>, options?: CallOptions): Promise<AuthorizationServer>;
  /**
   * Sign up. With or without the token of an application. 403 when registrations are closed. Where sign-ups need
   * approval, the account waits for a moderator, and until then its token is answered 403. `POST /api/v1/accounts`
   */
  createAccount(args: {
    username: string;
    email: string;
    /** At least 10 characters that can be seen; at least 8 on a server with `auth.weak-passwords`. */
    password: string;
    agreement: boolean;
    /** The code of an invitation. Required where sign-ups need one; elsewhere one that is not valid counts as none. */
    invite_code?: string;
    locale?: string;
    /** Why you want the account, for the moderators. Required where sign-ups need approval. */
    reason?: string;
    /** Of `GET /api/v1/accounts/challenge`, where the server demands one. */
    challenge?: string;
    /** The solution of the challenge. */
    nonce?: string;
  }, options?: CallOptions): Promise<Token>;
  /** Several accounts at once. In the order asked; unknown ids are left out. `GET /api/v1/accounts` */
  listAccounts(args?: {
    /** Ids, at most 100. */
    id?: string[];
  }, options?: CallOptions): Promise<Account[]>;
  /**
   * Change your password. Every other token of yours ends within a second, open streams with it. `POST
   * /api/v1/accounts/password`
   */
  changePassword(args: {
    current_password: string;
    /** At least 10 characters that can be seen; at least 8 on a server with `auth.weak-passwords`. */
    password: string;
  }, options?: CallOptions): Promise<Empty>;
  /** Your e-mail address, shortened. Of each address the first character and the domain. `GET /api/v1/accounts/email` */
  showAddress(args?: Record<string, never>, options?: CallOptions): Promise<Address>;
  /**
   * Change your e-mail address. Where the server sends mails, a link goes to the new address, and the change takes
   * effect when it is used, within a day. The former address gets a notice with a link that restores it within seven
   * days; until then the address cannot be changed again (403). Elsewhere the change takes effect at once. Ten
   * requests in a day, and three mails to an address in an hour. `POST /api/v1/accounts/email`
   */
  changeAddress(args: {
    current_password: string;
    email: string;
  }, options?: CallOptions): Promise<Empty>;
  /**
   * Send the mail that confirms your address again. 403 when the address waits for no confirmation. Three mails go to
   * an address in an hour. With another `email` the link goes there, and the account gets that address when it is
   * used; an account that works without a confirmation may do so for a day. `POST /api/v1/emails/confirmations`
   */
  sendConfirmation(args?: {
    /** Instead of that of the sign-up. */
    email?: string;
  }, options?: CallOptions): Promise<Empty>;
  /**
   * Whether your address waits for no confirmation. Also true on a server that sends no mails. `GET
   * /api/v1/emails/check_confirmation`
   */
  checkConfirmation(args?: Record<string, never>, options?: CallOptions): Promise<boolean>;
  /**
   * Delete your account, for your password. For good. From the answer on nobody is shown the account or what it has
   * written. Within a second none of its tokens is good, and its open streams end. Jobs then erase what it has. Its
   * name is never given to anybody again. `POST /api/v1/accounts/delete`
   */
  deleteAccount(args: {
    current_password: string;
  }, options?: CallOptions): Promise<Empty>;
  /**
   * Your tokens that this application holds. Newest first, at most 200. Those of other applications: `POST
   * /api/v1/tokens/list`. `GET /api/v1/tokens`
   */
  listTokens(args?: Record<string, never>, options?: CallOptions): Promise<ListedToken[]>;
  /**
   * End one of your tokens that this application holds. Those of other applications: `POST
   * /api/v1/tokens/{id}/revoke`. `DELETE /api/v1/tokens/{id}`
   */
  endToken(args: {
    /** As in the list. */
    id: string;
  }, options?: CallOptions): Promise<Empty>;
  /**
   * All tokens of your account, for its password. Newest first, at most 200. The tokens of other applications are your
   * other sessions: a token alone does not prove that you are there. `POST /api/v1/tokens/list`
   */
  listAllTokens(args: {
    current_password: string;
  }, options?: CallOptions): Promise<ListedToken[]>;
  /**
   * End all of your other tokens, for your password. Also those that other applications hold. That of this request
   * stays. `POST /api/v1/tokens/revoke_others`
   */
  endOtherTokens(args: {
    current_password: string;
  }, options?: CallOptions): Promise<Empty>;
  /**
   * End one of your tokens, for your password. Also one that another application holds. `POST
   * /api/v1/tokens/{id}/revoke`
   */
  endAnyToken(args: {
    /** As in the list. */
    id: string;
    current_password: string;
  }, options?: CallOptions): Promise<Empty>;
  /**
   * A proof of work for a sign-up. Where `auth.sign-up-challenge` demands one, a sign-up carries `challenge` and a
   * `nonce`, at most 32 letters, digits, `-` and `_`, with which the SHA-256 digest of `challenge.nonce` (with a dot
   * between) begins with `bits` zero bits. A challenge is good for ten minutes and one try. `GET
   * /api/v1/accounts/challenge`
   */
  showChallenge(args?: Record<string, never>, options?: CallOptions): Promise<Challenge>;
  /** Your second factor. Without its secrets. `GET /api/v1/factor` */
  showFactor(args?: Record<string, never>, options?: CallOptions): Promise<Factor>;
  /**
   * Begin a second factor. Draws a secret for an authenticator app (TOTP, RFC 6238), for your password. It waits ten
   * minutes for its first code. 422 when the account has a second factor. `POST /api/v1/factor`
   */
  beginFactor(args: {
    current_password: string;
  }, options?: CallOptions): Promise<NewFactor>;
  /**
   * Enable your second factor. By the first code of the authenticator app. From then on log-ins need a code, and the
   * password grant is refused. `POST /api/v1/factor/enable`
   */
  enableFactor(args: {
    /** Six digits of the authenticator app, or a recovery code. */
    code: string;
  }, options?: CallOptions): Promise<RecoveryCodes>;
  /**
   * Confirm that it is you. With a code of your second factor, for what answers 403 with `ERR_CODE_NEEDED` in
   * `details.code`. It counts for this token, for ten minutes, and for an hour for acts of moderators. `POST
   * /api/v1/factor/confirm`
   */
  confirmFactor(args: {
    /** Six digits of the authenticator app, or a recovery code. */
    code: string;
  }, options?: CallOptions): Promise<Empty>;
  /** New recovery codes. For a code. The old ones are good no more. `POST /api/v1/factor/codes` */
  renewCodes(args: {
    /** Six digits of the authenticator app, or a recovery code. */
    code: string;
  }, options?: CallOptions): Promise<RecoveryCodes>;
  /** Remove your second factor. For your password and a code. `POST /api/v1/factor/disable` */
  disableFactor(args: {
    current_password: string;
    /** Six digits of the authenticator app, or a recovery code. */
    code: string;
  }, options?: CallOptions): Promise<Empty>;
  /**
   * Whether a user name or address is free. As it is at the moment: somebody else may be faster. `GET
   * /api/v1/accounts/available`
   */
  checkAvailability(args?: {
    /** The name. */
    username?: string;
    /** Or the address. */
    email?: string;
  }, options?: CallOptions): Promise<Availability>;
  /**
   * Your own account. With `source`, which only you see: the defaults of your posts, and the profile as you have typed
   * it. `GET /api/v1/accounts/verify_credentials`
   */
  verifyCredentials(args?: Record<string, never>, options?: CallOptions): Promise<CredentialAccount>;
  /** Change your profile. What is not said stays as it is. `PATCH /api/v1/accounts/update_credentials` */
  updateCredentials(args?: {
    display_name?: string;
    note?: string;
    /** Whether you are asked before somebody follows you. */
    locked?: boolean;
    /** Whether a program writes the posts. */
    bot?: boolean;
    /** Whether the directory and suggestions show you; at first true. */
    discoverable?: boolean;
    /** Whether the search finds your public posts for everybody; at first true. */
    indexable?: boolean;
    /**
     * Lines of your profile, in place of those that there are; one without a name is left out. In a form
     * `fields_attributes[0][name]` and so on.
     */
    fields_attributes?: {
      name?: string;
      value?: string;
    }[];
    /** Whether others see neither whom you follow nor who follows you; they see how many. */
    hide_collections?: boolean;
    /** Websites that may name you as an author, such as `example.com`; an empty list or value for none. */
    attribution_domains?: string[];
    /** A picture, as a file of multipart/form-data; cut to a square. */
    avatar?: Blob;
    /** The same, cut to three by one. */
    header?: Blob;
    source?: {
      privacy?: Visibility;
      sensitive?: boolean;
      language?: string;
      quote_policy?: QuotePolicy;
      /**
       * Whether your home and lists leave out a boost when the post or another boost of it is among the 40 statuses
       * below it; at first true. Holds for the next page, and for streams that are opened from then on. Not in
       * Mastodon's API.
       */
      aggregate_reblogs?: boolean;
    };
  }, options?: CallOptions): Promise<CredentialAccount>;
  /** An account by its name. The whole name; `/api/v1/accounts/search` finds parts. `GET /api/v1/accounts/lookup` */
  lookupAccount(args: {
    /** `name`, `@name` or `name@this.host`. */
    acct: string;
  }, options?: CallOptions): Promise<Account>;
  /** Accounts whose name begins so. For completing a name while it is typed. `GET /api/v1/accounts/search` */
  searchAccounts(args: {
    /** The beginning of a user name. */
    q: string;
    /** How many at most; 40 unless told, at most `limits.page-max` (80). */
    limit?: number;
    /** How many to leave out. */
    offset?: number;
    /** Only whom you follow. */
    following?: boolean;
    /** Without effect. */
    resolve?: boolean;
  }, options?: CallOptions): Promise<Account[]>;
  /**
   * An account. Nobody needs to be logged in. A suspended account gets the 404 of one that does not exist. `GET
   * /api/v1/accounts/{id}`
   */
  showAccount(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Account>;
  /**
   * Statuses of an account. Those that you may see, without comments. The parameters leave some of them out. `GET
   * /api/v1/accounts/{id}/statuses`
   */
  listAccountStatuses(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 20 unless told, at most `limits.page-max` (80). */
    limit?: number;
    /** No replies to others. */
    exclude_replies?: boolean;
    /** No reposts. */
    exclude_reblogs?: boolean;
    /** Only pinned ones, which are at most five: the one pinned last first, on one page. */
    pinned?: boolean;
    /** Only with pictures. */
    only_media?: boolean;
    /** Only with this hashtag. */
    tagged?: string;
  }, options?: CallOptions): Pages<Status>;
  /**
   * Comments by an account. Those that you may see, the newest first, also under statuses that are deleted. Replies
   * made as posts are among the statuses of the account. `GET /api/v1/accounts/{id}/comments`
   */
  listAccountComments(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 20 unless told, at most `limits.page-max` (80). */
    limit?: number;
  }, options?: CallOptions): Pages<Status>;
  /** How you stand to accounts. One for each account that exists. `GET /api/v1/accounts/relationships` */
  listRelationships(args?: {
    /** One or more ids, at most 100. */
    id?: Id[];
  }, options?: CallOptions): Promise<Relationship[]>;
  /**
   * Followers of accounts whom you follow. For each account, whom you follow of those who follow it. `GET
   * /api/v1/accounts/familiar_followers`
   */
  listFamiliarFollowers(args?: {
    /** One or more ids, at most 100. */
    id?: Id[];
  }, options?: CallOptions): Promise<FamiliarFollowers[]>;
  /** Who follows an account. Cursors are opaque: take them from the Link header. `GET /api/v1/accounts/{id}/followers` */
  listFollowers(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 40 unless told, at most `limits.page-max` (80). */
    limit?: number;
  }, options?: CallOptions): Pages<AccountEntry>;
  /** Whom an account follows. Cursors are opaque: take them from the Link header. `GET /api/v1/accounts/{id}/following` */
  listFollowing(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 40 unless told, at most `limits.page-max` (80). */
    limit?: number;
  }, options?: CallOptions): Pages<AccountEntry>;
  /**
   * Accounts that two accounts follow. In the order of the follows of one of them. Empty when one of them hides whom
   * it follows. `GET /api/v1/accounts/{id}/common_following`
   */
  listCommonFollowing(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** The other account; you, unless told. */
    with?: Id;
    /**
     * Which of the two by whose follows the list is ordered and walked; at first who follows fewer. The links of a
     * page name it.
     */
    order_of?: Id;
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 40 unless told, at most `limits.page-max` (80). */
    limit?: number;
  }, options?: CallOptions): Pages<Account>;
  /**
   * Follow an account. Who is locked is asked: then `requested` is true, and `following` is not. `POST
   * /api/v1/accounts/{id}/follow`
   */
  followAccount(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /**
     * Whether your home and its streams show what the account reposts without words; of a follow that exists, this is
     * changed. When left out, as before, and of a new follow true.
     */
    reblogs?: boolean;
    /**
     * Of which posts your home, your lists and their streams show of the account, besides those that say no language,
     * and what it reposts; of a follow that exists, this is changed. An empty list or value for all. When left out, as
     * before, and of a new follow all.
     */
    languages?: string[];
    /**
     * Whether you are told of each new post of the account, but of no replies to others; of a follow that exists, this
     * is changed. When left out, as before, and of a new follow false.
     */
    notify?: boolean;
  }, options?: CallOptions): Promise<Relationship>;
  /**
   * Follow an account no more. It is answered in the same way when you do not follow it. A request to follow is taken
   * back. `POST /api/v1/accounts/{id}/unfollow`
   */
  unfollowAccount(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Relationship>;
  /**
   * Make an account follow you no more. It can follow you again. To prevent that, block it. `POST
   * /api/v1/accounts/{id}/remove_from_followers`
   */
  removeFollower(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Relationship>;
  /** Block an account. Ends the follows in both directions. `POST /api/v1/accounts/{id}/block` */
  blockAccount(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Relationship>;
  /**
   * Block an account no more. The follows that the block has ended do not come back. `POST
   * /api/v1/accounts/{id}/unblock`
   */
  unblockAccount(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Relationship>;
  /**
   * Mute an account. Your timelines leave it out, though you may follow it. `duration` gives the mute an end. `POST
   * /api/v1/accounts/{id}/mute`
   */
  muteAccount(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** Whether notifications are muted too. */
    notifications?: boolean;
    /**
     * Seconds after which the mute ends by itself; 0 = it lasts until it is taken back. Of an account that is muted
     * already, this is changed.
     */
    duration?: number;
  }, options?: CallOptions): Promise<Relationship>;
  /**
   * Mute an account no more. It is answered in the same way when you do not mute it. `POST
   * /api/v1/accounts/{id}/unmute`
   */
  unmuteAccount(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Relationship>;
  /**
   * Note something about an account. You alone see it. An empty comment ends it. Notes about at most 500 accounts.
   * `POST /api/v1/accounts/{id}/note`
   */
  noteAccount(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** What to remember; empty = nothing any more. */
    comment?: string;
  }, options?: CallOptions): Promise<Relationship>;
  /**
   * Recommend an account on your profile. You must follow it: the recommendation ends with the follow. At most 100
   * accounts. `POST /api/v1/accounts/{id}/endorse`
   */
  endorseAccount(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Relationship>;
  /**
   * Recommend an account no more. It is answered in the same way when you do not recommend it. `POST
   * /api/v1/accounts/{id}/unendorse`
   */
  unendorseAccount(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Relationship>;
  /**
   * Accounts that you recommend. In the order of your follows, newest first. Cursors are opaque: take them from the
   * Link header. `GET /api/v1/endorsements`
   */
  listEndorsements(args?: {
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 40 unless told, at most `limits.page-max` (80). */
    limit?: number;
  }, options?: CallOptions): Pages<Account>;
  /**
   * Accounts that an account recommends. In the order of its follows, newest first. Cursors are opaque: take them from
   * the Link header. `GET /api/v1/accounts/{id}/endorsements`
   */
  listEndorsementsOf(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 40 unless told, at most `limits.page-max` (80). */
    limit?: number;
  }, options?: CallOptions): Pages<Account>;
  /** Hashtags on your profile. With how often your newest posts have them. `GET /api/v1/featured_tags` */
  listFeaturedTags(args?: Record<string, never>, options?: CallOptions): Promise<FeaturedTag[]>;
  /** Show a hashtag on your profile. At most ten; one that is there stays as it is. `POST /api/v1/featured_tags` */
  featureTag(args: {
    /** The hashtag, with or without its sign. */
    name: string;
  }, options?: CallOptions): Promise<FeaturedTag>;
  /**
   * Hashtags for your profile. Those that you have used most in your newest 200 posts and do not feature, ten at most.
   * `GET /api/v1/featured_tags/suggestions`
   */
  listFeaturedTagSuggestions(args?: Record<string, never>, options?: CallOptions): Promise<Tag[]>;
  /**
   * Take a hashtag off your profile. By its id, which `/api/v1/featured_tags` says. `DELETE
   * /api/v1/featured_tags/{id}`
   */
  unfeatureTag(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Empty>;
  /** Hashtags on a profile. With how often its newest posts have them. `GET /api/v1/accounts/{id}/featured_tags` */
  listFeaturedTagsOf(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<FeaturedTag[]>;
  /**
   * Show a hashtag on your profile, by its name. At most ten; one that is there stays as it is. `POST
   * /api/v1/tags/{tag}/feature`
   */
  featureTagByName(args: {
    /** The hashtag without its sign. */
    tag: string;
  }, options?: CallOptions): Promise<Tag>;
  /**
   * Take a hashtag off your profile, by its name. It is answered in the same way when it is not there. `POST
   * /api/v1/tags/{tag}/unfeature`
   */
  unfeatureTagByName(args: {
    /** The hashtag without its sign. */
    tag: string;
  }, options?: CallOptions): Promise<Tag>;
  /** Hashtags that you follow. Those whose public posts stand in your home. `GET /api/v1/followed_tags` */
  listFollowedTags(args?: {
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; all unless told. */
    limit?: number;
  }, options?: CallOptions): Pages<Tag>;
  /**
   * Follow a hashtag. Public posts with it stand in your home until you unfollow it, earlier ones too, whoever has
   * written them; 50 hashtags at most. `POST /api/v1/tags/{tag}/follow`
   */
  followTag(args: {
    /** The hashtag without its sign. */
    tag: string;
  }, options?: CallOptions): Promise<Tag>;
  /**
   * Follow a hashtag no more. Its posts leave your home, unless you follow those who have written them. `POST
   * /api/v1/tags/{tag}/unfollow`
   */
  unfollowTag(args: {
    /** The hashtag without its sign. */
    tag: string;
  }, options?: CallOptions): Promise<Tag>;
  /**
   * Who asks to follow you. Newest first. Cursors are opaque: take them from the Link header. `GET
   * /api/v1/follow_requests`
   */
  listFollowRequests(args?: {
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 40 unless told, at most `limits.page-max` (80). */
    limit?: number;
  }, options?: CallOptions): Pages<Account>;
  /**
   * Let an account follow you that has asked to. The id is that of the account. `POST
   * /api/v1/follow_requests/{id}/authorize`
   */
  authorizeFollowRequest(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Relationship>;
  /**
   * Refuse the request of an account to follow you. The id is that of the account. `POST
   * /api/v1/follow_requests/{id}/reject`
   */
  rejectFollowRequest(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Relationship>;
  /**
   * Report an account to the operator. The operator reads it on the command line. At most 50 open reports of one
   * account; when the server has as many as it keeps, a report of an account without an open one takes the place of
   * another. Statuses must be of the account and visible to you. There are no rules here, so the category `violation`
   * is refused; `forward` does nothing. `POST /api/v1/reports`
   */
  createReport(args: {
    /** Whom it is about. */
    account_id: string;
    /** Statuses of the account. */
    status_ids?: string[];
    /** What is wrong. */
    comment?: string;
    category?: "spam" | "legal" | "violation" | "other";
    /** Rules that are broken; they make the category `violation`, which needs them. */
    rule_ids?: string[];
    /** Does nothing; there are no other servers. */
    forward?: boolean;
  }, options?: CallOptions): Promise<Report>;
  /**
   * Your invitations. The newest first, those that have ended in the last 30 days too. For accounts with a role; for
   * all accounts where the setting `auth.user-invitations` is true. `GET /api/v1/invitations`
   */
  listInvitations(args?: {
    /** Those of all accounts and of operators, the newest 500: for the permission Manage Users. */
    all?: boolean;
  }, options?: CallOptions): Promise<Invitation[]>;
  /**
   * Invite people. Somebody signs up with the code (`invite_code`) where sign-ups need an invitation, and without
   * approval where they need one. At most 100 of an account. `POST /api/v1/invitations`
   */
  createInvitation(args?: {
    /** How many people may sign up with it; without it, as many as like. */
    max_uses?: number;
    /** Seconds; without it, it does not end. */
    expires_in?: number;
    /** For you and the moderators. */
    comment?: string;
  }, options?: CallOptions): Promise<Invitation>;
  /**
   * Revoke an invitation. Nobody signs up with it any more. Your own; those of others with the permission Manage
   * Users. `DELETE /api/v1/invitations/{name}`
   */
  revokeInvitation(args: {
    /** The code. */
    name: string;
  }, options?: CallOptions): Promise<Empty>;
  /** Own warnings by moderators. Newest first; the newest 200 are kept. `GET /api/v1/warnings` */
  listWarnings(args?: {
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
   * Appeal a warning. Once, within 20 days. The same text again answers the same, another one 422. The decision is in
   * `appeal.state`; there is no notification of it. `POST /api/v1/warnings/{id}/appeal`
   */
  appealWarning(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    text: string;
  }, options?: CallOptions): Promise<AccountWarning>;
  /**
   * Follow many accounts. One bad id does not undo the others. Who is locked is asked, as by following one. `POST
   * /api/v1/accounts/follow`
   */
  followAccounts(args: {
    id: Id[];
  }, options?: CallOptions): Promise<RelationshipOrError[]>;
  /** Follow many accounts no more. One bad id does not undo the others. `POST /api/v1/accounts/unfollow` */
  unfollowAccounts(args: {
    id: Id[];
  }, options?: CallOptions): Promise<RelationshipOrError[]>;
  /** Whom you block. You alone see this list. `GET /api/v1/blocks` */
  listBlocks(args?: {
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 40 unless told, at most `limits.page-max` (80). */
    limit?: number;
  }, options?: CallOptions): Pages<Account>;
  /** Whom you mute. With the ends of those mutes that have one. You alone see this list. `GET /api/v1/mutes` */
  listMutes(args?: {
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 40 unless told, at most `limits.page-max` (80). */
    limit?: number;
  }, options?: CallOptions): Pages<MutedAccount>;
  /**
   * Statuses by their ids. In the order asked for, without those that cannot be seen; at most 100 ids. `GET
   * /api/v1/statuses`
   */
  listStatuses(args?: {
    /** Which ones. */
    id?: Id[];
  }, options?: CallOptions): Promise<Status[]>;
  /**
   * Post. 404 when the status that is answered or quoted cannot be seen. 422 with the code `ERR_HELD` at `status` when
   * the post waits for a moderator (`listHeldStatuses`): sending it again changes nothing. `POST /api/v1/statuses`
   */
  createStatus(args?: {
    /**
     * Needed unless there is a warning, which is the text then, a `quoted_status_id`, or a picture, video or sound.
     * Plain text, at most `limits.text-max` (500) characters together with the warning, counted as Mastodon does: what
     * a reader takes for one (a grapheme cluster) is one, an address is 23, of `@name@host` the name counts. At most
     * ten times as many bytes in UTF-8.
     */
    status?: string;
    /**
     * When left out, that of a direct message that it answers, else the author's default: `source[privacy]` of
     * update_credentials, at first public. `direct` is for the author and the accounts that the text names
     * (docs/contract.md).
     */
    visibility?: "public" | "unlisted" | "private" | "direct";
    /** A warning. When there is no text it becomes the text; of a quote it stays the warning. */
    spoiler_text?: string;
    /** When left out, true with a warning, and otherwise the author's default. */
    sensitive?: boolean;
    /** When left out, the author's default. */
    language?: string;
    /** Decimal, at most 2^53 - 1, so that JavaScript's numbers hold it. */
    in_reply_to_id?: Id;
    /**
     * What it shows, which its author lets you quote: 422 otherwise. Of your own also what is private; then the quote
     * is private too.
     */
    quoted_status_id?: Id;
    /** Pictures that you uploaded within a day; each can be posted once. */
    media_ids?: Id[];
    /** What changes of these pictures. */
    media_attributes?: {
      id?: Id;
      description?: string;
      focus?: string;
    }[];
    /** Not with pictures. Of a post that is scheduled it ends so long after that is published. */
    poll?: {
      /** At most 50 characters each. */
      options?: string[];
      /** How many seconds people can vote. */
      expires_in?: number;
      multiple?: boolean;
      hide_totals?: boolean;
    };
    /**
     * When to publish it, at least five minutes from now; then the answer is a ScheduledStatus. An ISO 8601 date and
     * time, in UTC without an offset. At most 300 posts may be scheduled, and 25 for one day (UTC). It is published as
     * if it were posted then: with your defaults of that time, and not at all when what it answers or quotes cannot be
     * seen any more, or may not be quoted any more.
     */
    scheduled_at?: string;
    /**
     * Who may quote it besides its author: everybody, those who follow the author, or nobody. When left out, the
     * author's default: `source[quote_policy]` of update_credentials, at first `public`. Without effect on what is
     * `private` or `direct`, which only its author may quote, and nobody what is `direct`.
     */
    quote_approval_policy?: QuotePolicy;
    /**
     * The accounts that the text may name besides you: 422 when it names another one. When left out, all. Not with
     * `scheduled_at`.
     */
    allowed_mentions?: Id[];
    lat?: number;
    long?: number;
    /** What the place is called. */
    place?: string;
  }, options?: CallOptions): Promise<Status | ScheduledStatus>;
  /** A status. One that you may not see gets the 404 of one that does not exist. `GET /api/v1/statuses/{id}` */
  showStatus(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Status>;
  /**
   * Edit a status or comment of your own. All words are said again: what is left out is empty, except the language.
   * The former words stay in the history. Nothing else changes, whatever is said, but for `quote_approval_policy`, for
   * its pictures by `media_ids`, which stay when it is left out, and for their descriptions and focus by
   * `media_attributes`; another poll is refused, with other options or another `multiple`. An edit that changes
   * nothing is answered with the status as it is. 404 for somebody elses, as if it did not exist; 422 for a repost
   * without words, and for an article. `PUT /api/v1/statuses/{id}`
   */
  editStatus(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** As in a new status; a quote may have none. */
    status?: string;
    /** A warning. When there is no text it becomes the text; of a quote it stays the warning. */
    spoiler_text?: string;
    /** When left out, true with a warning, else false. */
    sensitive?: boolean;
    /** When left out, it stays. */
    language?: string;
    /** When left out, it stays. */
    quote_approval_policy?: "public" | "followers" | "nobody";
    /** The poll that it has, or none; 422 otherwise. */
    poll?: {
      options?: string[];
      multiple?: boolean;
    };
    /**
     * The pictures that it has from now on, in this order: its own and uploads. What it has no more is an upload
     * again. When left out, they stay; an empty list (in a form `media_ids[]=`) takes them all out.
     */
    media_ids?: Id[];
    /** What changes of its pictures; what is left out stays. */
    media_attributes?: {
      id?: Id;
      description?: string;
      focus?: string;
    }[];
  }, options?: CallOptions): Promise<Status>;
  /**
   * Delete a status or comment of your own. Somebody elses gets the 404 of one that does not exist. `DELETE
   * /api/v1/statuses/{id}`
   */
  deleteStatus(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** As in the query. */
    delete_media?: boolean;
  }, options?: CallOptions): Promise<DeletedStatus>;
  /** What its author wrote. For whoever may see the status. `GET /api/v1/statuses/{id}/source` */
  showSource(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<StatusSource>;
  /** What a status was. For whoever may see the status. `GET /api/v1/statuses/{id}/history` */
  listEdits(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<StatusEdit[]>;
  /** What a status answers, and what answers it. Only what you may see of it. `GET /api/v1/statuses/{id}/context` */
  showContext(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Context>;
  /** Like a status. Its author is notified. A second time changes nothing. `POST /api/v1/statuses/{id}/favourite` */
  favouriteStatus(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Status>;
  /**
   * Like a status no more. It is answered in the same way when you do not like it. `POST
   * /api/v1/statuses/{id}/unfavourite`
   */
  unfavouriteStatus(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Status>;
  /** Bookmark a status. Nobody but you knows. A second time changes nothing. `POST /api/v1/statuses/{id}/bookmark` */
  bookmarkStatus(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Status>;
  /**
   * Bookmark a status no more. It is answered in the same way when it is no bookmark of yours. `POST
   * /api/v1/statuses/{id}/unbookmark`
   */
  unbookmarkStatus(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Status>;
  /**
   * Show a status of yours above all others. At most five; the one pinned last comes first in
   * `/api/v1/accounts/{id}/statuses?pinned=true`. A repost, and a status of somebody else, is refused with 422.
   * Deleting a status unpins it. `POST /api/v1/statuses/{id}/pin`
   */
  pinStatus(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Status>;
  /** Pin a status no more. It is answered in the same way when it is not pinned. `POST /api/v1/statuses/{id}/unpin` */
  unpinStatus(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Status>;
  /**
   * Hear no more of a conversation. No notification of any status of the conversation that the status belongs to is
   * shown or streamed. They are kept, and shown once the conversation is heard again. The 200 conversations that were
   * muted last stay muted. `POST /api/v1/statuses/{id}/mute`
   */
  muteStatus(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Status>;
  /** Hear of a conversation again. What was kept of it meanwhile is shown, too. `POST /api/v1/statuses/{id}/unmute` */
  unmuteStatus(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Status>;
  /**
   * Your conversations of direct messages. The one with the newest message first; the cursors are ids of messages, so
   * follow `Link`. The 500 with the newest messages are kept. Not shown are those whose other accounts you all block,
   * or mute with their notifications, and those without a message that you may see. `GET /api/v1/conversations`
   */
  listConversations(args?: {
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 20 unless told, at most 40. */
    limit?: number;
  }, options?: CallOptions): Pages<Conversation>;
  /**
   * Take a conversation off your list. The messages stay. A new one brings the conversation back, with what is written
   * from then on. `DELETE /api/v1/conversations/{id}`
   */
  deleteConversation(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Empty>;
  /** Mark a conversation as read. `unread` is false until another message comes. `POST /api/v1/conversations/{id}/read` */
  readConversation(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Conversation>;
  /**
   * Mark a conversation as unread. `unread` is true until it is marked as read, or the user writes in it. `POST
   * /api/v1/conversations/{id}/unread`
   */
  unreadConversation(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Conversation>;
  /**
   * Repost a status, with or without a comment. Of a repost, its original is passed on. Who has reposted it already
   * gets that repost. A private status of somebody else is refused with 422; a repost is seen by no more people than
   * its original. `POST /api/v1/statuses/{id}/reblog`
   */
  reblogStatus(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** When left out, the author's default, as for a new status. */
    visibility?: "public" | "unlisted" | "private";
    /** Makes it a quote with this text, to which the rest applies. */
    comment?: string;
    /** A warning. */
    spoiler_text?: string;
    /** When left out, true with a warning, and otherwise the author's default. */
    sensitive?: boolean;
    /** When left out, the author's default. */
    language?: string;
    /**
     * Who may quote it besides its author: everybody, those who follow the author, or nobody. When left out, the
     * author's default: `source[quote_policy]` of update_credentials, at first `public`. Without effect on what is
     * `private` or `direct`, which only its author may quote, and nobody what is `direct`.
     */
    quote_approval_policy?: QuotePolicy;
    lat?: number;
    long?: number;
    /** What the place is called. */
    place?: string;
  }, options?: CallOptions): Promise<Status>;
  /**
   * Take a repost back. It is answered in the same way when you have not reposted it. `POST
   * /api/v1/statuses/{id}/unreblog`
   */
  unreblogStatus(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Status>;
  /** Who likes a status. For whoever may see the status. `GET /api/v1/statuses/{id}/favourited_by` */
  listFavouritedBy(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 40 unless told, at most `limits.page-max` (80). */
    limit?: number;
  }, options?: CallOptions): Pages<Account>;
  /**
   * Who reposted a status. For whoever may see the status. Without those who reposted it for their followers alone.
   * `GET /api/v1/statuses/{id}/reblogged_by`
   */
  listRebloggedBy(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 40 unless told, at most `limits.page-max` (80). */
    limit?: number;
  }, options?: CallOptions): Pages<Account>;
  /** Quotes of a status. Those that you may see. `GET /api/v1/statuses/{id}/quotes` */
  listQuotes(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 20 unless told, at most `limits.page-max` (80). */
    limit?: number;
  }, options?: CallOptions): Pages<Status>;
  /**
   * Take a status of yours out of a quote. The quote keeps its own words and says `revoked` from then on; `/quotes`
   * lists it no more. For good: it cannot quote the status again, though its author can do so in another post, unless
   * the policy of quotes forbids it. Doing it again changes nothing. 403 when the quoted status is not yours; 404 when
   * this does not quote it. A quote that you may not see is ended all the same; the answer is then your own status.
   * `POST /api/v1/statuses/{id}/quotes/{name}/revoke`
   */
  revokeQuote(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** The id of the status that quotes it. */
    name: string;
  }, options?: CallOptions): Promise<Status>;
  /**
   * Say who may quote a status of yours from now on. Quotes that there are stay. Nothing changes without a policy, and
   * of a status that is `private` or `direct`, which nobody may quote. Articles are refused with 422: everybody may
   * quote them. `PUT /api/v1/statuses/{id}/interaction_policy`
   */
  setInteractionPolicy(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /**
     * Who may quote it besides its author: everybody, those who follow the author, or nobody. When left out, the
     * author's default: `source[quote_policy]` of update_credentials, at first `public`. Without effect on what is
     * `private` or `direct`, which only its author may quote, and nobody what is `direct`.
     */
    quote_approval_policy?: QuotePolicy;
  }, options?: CallOptions): Promise<Status>;
  /**
   * Comments on a status. Those on the status itself and on its comments, as far as you may see them. `GET
   * /api/v1/statuses/{id}/comments`
   */
  listComments(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 20 unless told, at most `limits.page-max` (80). */
    limit?: number;
  }, options?: CallOptions): Pages<Status>;
  /**
   * Comment on a status. A comment is in no profile, no timeline and no count of statuses, and is seen by whoever sees
   * what it stands under. One on a comment is listed with the comments of both. `POST /api/v1/statuses/{id}/comments`
   */
  createComment(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** Plain text, as in a status, needed unless there is a warning; may be called `status` too. */
    text?: string;
    /** A warning. When there is no text it becomes the text. */
    spoiler_text?: string;
    /** When left out, true with a warning, and otherwise the author's default. */
    sensitive?: boolean;
    /** When left out, the author's default. */
    language?: string;
    /** The same as `text`. */
    status?: string;
    /** When left out, the author's default. */
    visibility?: "public" | "unlisted" | "private";
    /**
     * Who may quote it besides its author: everybody, those who follow the author, or nobody. When left out, the
     * author's default: `source[quote_policy]` of update_credentials, at first `public`. Without effect on what is
     * `private` or `direct`, which only its author may quote, and nobody what is `direct`.
     */
    quote_approval_policy?: QuotePolicy;
    lat?: number;
    long?: number;
    /** What the place is called. */
    place?: string;
    /** Also a quote of the status with the same text. */
    also_repost?: boolean;
    /** The comment that this one answers. */
    parent_id?: Id;
  }, options?: CallOptions): Promise<Status>;
  /**
   * What you like. In the order of the likes. Cursors are not ids of statuses: take them from the Link header. `GET
   * /api/v1/favourites`
   */
  listFavourites(args?: {
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 20 unless told, at most `limits.page-max` (80). */
    limit?: number;
  }, options?: CallOptions): Pages<Status>;
  /**
   * What you bookmarked. In the order of the bookmarks. Cursors are not ids of statuses: take them from the Link
   * header. `GET /api/v1/bookmarks`
   */
  listBookmarks(args?: {
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 20 unless told, at most `limits.page-max` (80). */
    limit?: number;
  }, options?: CallOptions): Pages<Status>;
  /**
   * All that is yours, as one file. A ZIP file in the form of Mastodon's archives (`actor.json`, `outbox.json`,
   * `likes.json`, `bookmarks.json`, `media_attachments`), with the CSV files below and, as JSON, what else you have:
   * posts with all of their versions and direct messages that you sent, what is scheduled, filters, hashtags, lists,
   * notes. `README.txt` in it says what is where. Passwords and tokens are not in it. It has 50,000 pictures at most.
   * Made while it is sent, one at a time; counted by `limits.rates.exports` when it begins: an attempt that is refused
   * with 503 does not count, nor does HEAD. It ends after an hour, or when the token ends. When the connection ends
   * before the body does, the file is not whole. `GET /api/v1/exports/archive.zip`
   */
  exportArchive(args?: Record<string, never>, options?: CallOptions): Promise<Uint8Array>;
  /**
   * Whom you follow. As the CSV file that Mastodon exports and imports: address, whether boosts are shown, whether you
   * are notified of new posts, languages. Made while it is sent: when the connection ends before the body does, the
   * file is not whole. `GET /api/v1/exports/follows.csv`
   */
  exportFollows(args?: Record<string, never>, options?: CallOptions): Promise<Uint8Array>;
  /**
   * Whom you block. As the CSV file that Mastodon exports and imports: addresses. Made while it is sent: when the
   * connection ends before the body does, the file is not whole. `GET /api/v1/exports/blocks.csv`
   */
  exportBlocks(args?: Record<string, never>, options?: CallOptions): Promise<Uint8Array>;
  /**
   * Whom you mute. As the CSV file that Mastodon exports and imports: address, whether notifications are hidden. Made
   * while it is sent: when the connection ends before the body does, the file is not whole. `GET
   * /api/v1/exports/mutes.csv`
   */
  exportMutes(args?: Record<string, never>, options?: CallOptions): Promise<Uint8Array>;
  /**
   * Who is on your lists. As the CSV file that Mastodon exports and imports: title of the list, address. Made while it
   * is sent: when the connection ends before the body does, the file is not whole. `GET /api/v1/exports/lists.csv`
   */
  exportLists(args?: Record<string, never>, options?: CallOptions): Promise<Uint8Array>;
  /**
   * What you bookmarked, as a file. As the CSV file that Mastodon exports and imports: the `uri` of each post. Made
   * while it is sent: when the connection ends before the body does, the file is not whole. `GET
   * /api/v1/exports/bookmarks.csv`
   */
  exportBookmarks(args?: Record<string, never>, options?: CallOptions): Promise<Uint8Array>;
  /**
   * Statuses of whom you follow. Also what you have written, and public posts with hashtags that you follow. `GET
   * /api/v1/timelines/home`
   */
  showHome(args?: {
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 20 unless told, at most `limits.page-max` (80). */
    limit?: number;
  }, options?: CallOptions): Pages<Status>;
  /** Your filters. Each with its keywords and statuses. One that has expired is there, too. `GET /api/v2/filters` */
  listFilters(args?: Record<string, never>, options?: CallOptions): Promise<Filter[]>;
  /**
   * Make a filter. At most `limits.filters-max`, five times as many keywords and statuses, and as many KiB. Statuses
   * that match carry it in `filtered`, wherever they are shown to you; hiding them is for the client. What you have
   * written yourself is never filtered. `POST /api/v2/filters`
   */
  createFilter(args: {
    title: string;
    /** Where your client applies it: home and lists, notifications, public timelines, threads, profiles. */
    context: FilterContexts;
    /** `blur_media` is `blur`. */
    filter_action?: "warn" | "hide" | "blur" | "blur_media";
    /** Seconds from now on; empty = it does not end. */
    expires_in?: number;
    keywords_attributes?: {
      keyword?: string;
      whole_word?: boolean;
      /** Leaves it out. */
      _destroy?: boolean;
    }[];
  }, options?: CallOptions): Promise<Filter>;
  /** A filter of yours. With its keywords and statuses. `GET /api/v2/filters/{id}` */
  showFilter(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Filter>;
  /**
   * Change a filter of yours. What is not said stays as it is. A keyword is changed by its `id`, deleted by
   * `_destroy`, and added without either. `PUT /api/v2/filters/{id}`
   */
  updateFilter(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    title?: string;
    /** Where your client applies it: home and lists, notifications, public timelines, threads, profiles. */
    context?: FilterContexts;
    /** `blur_media` is `blur`. */
    filter_action?: "warn" | "hide" | "blur" | "blur_media";
    /** Seconds from now on; empty = it does not end. */
    expires_in?: number;
    keywords_attributes?: {
      id?: Id;
      keyword?: string;
      whole_word?: boolean;
      /** Takes it away. */
      _destroy?: boolean;
    }[];
  }, options?: CallOptions): Promise<Filter>;
  /** Delete a filter of yours. With its keywords and statuses. `DELETE /api/v2/filters/{id}` */
  deleteFilter(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Empty>;
  /** Keywords of a filter of yours. They are part of the filter itself, too. `GET /api/v2/filters/{id}/keywords` */
  listFilterKeywords(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<FilterKeyword[]>;
  /**
   * Add a keyword to a filter of yours. A filter matches as soon as one of its keywords does. `POST
   * /api/v2/filters/{id}/keywords`
   */
  addFilterKeyword(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    keyword: string;
    whole_word?: boolean;
  }, options?: CallOptions): Promise<FilterKeyword>;
  /** A keyword of a filter of yours. By the id of the keyword. `GET /api/v2/filters/keywords/{id}` */
  showFilterKeyword(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<FilterKeyword>;
  /** Change a keyword of a filter of yours. What is not said stays as it is. `PUT /api/v2/filters/keywords/{id}` */
  updateFilterKeyword(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    keyword?: string;
    whole_word?: boolean;
  }, options?: CallOptions): Promise<FilterKeyword>;
  /**
   * Take a keyword out of a filter of yours. The filter stays, even without a keyword. `DELETE
   * /api/v2/filters/keywords/{id}`
   */
  deleteFilterKeyword(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Empty>;
  /** Statuses under a filter of yours. They match whatever their texts say. `GET /api/v2/filters/{id}/statuses` */
  listFilterStatuses(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<FilterStatus[]>;
  /** Put a status under a filter of yours. It matches whatever its text says. `POST /api/v2/filters/{id}/statuses` */
  addFilterStatus(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** Decimal, at most 2^53 - 1, so that JavaScript's numbers hold it. */
    status_id: Id;
  }, options?: CallOptions): Promise<FilterStatus>;
  /** A status under a filter of yours. By the id of the entry, not of the status. `GET /api/v2/filters/statuses/{id}` */
  showFilterStatus(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<FilterStatus>;
  /**
   * Take a status out of a filter of yours. By the id of the entry, not of the status. `DELETE
   * /api/v2/filters/statuses/{id}`
   */
  deleteFilterStatus(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Empty>;
  /** Your lists of accounts. Nobody else sees them. `GET /api/v1/lists` */
  listLists(args?: Record<string, never>, options?: CallOptions): Promise<UserList[]>;
  /** Make a list of accounts. At most `limits.lists-max`. `POST /api/v1/lists` */
  createList(args: {
    title: string;
    /** Which answers to others its timeline shows: to whom you follow, to who is on the list, or to nobody. */
    replies_policy?: "followed" | "list" | "none";
    /** Whether your home leaves out what the accounts of the list post and repost. Your own posts stay in it. */
    exclusive?: boolean;
  }, options?: CallOptions): Promise<UserList>;
  /** A list of yours. Its title and settings; who is on it has an address of its own. `GET /api/v1/lists/{id}` */
  showList(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<UserList>;
  /** Change a list of yours. What is not said stays as it is. `PUT /api/v1/lists/{id}` */
  updateList(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    title?: string;
    /** Which answers to others its timeline shows: to whom you follow, to who is on the list, or to nobody. */
    replies_policy?: "followed" | "list" | "none";
    /** Whether your home leaves out what the accounts of the list post and repost. Your own posts stay in it. */
    exclusive?: boolean;
  }, options?: CallOptions): Promise<UserList>;
  /** Delete a list of yours. You follow who was on it all the same. `DELETE /api/v1/lists/{id}` */
  deleteList(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Empty>;
  /** Who is on a list of yours. Whose posts its timeline shows. `GET /api/v1/lists/{id}/accounts` */
  listListAccounts(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many, at most `limits.page-max`; 0 = all, without a Link header. */
    limit?: number;
  }, options?: CallOptions): Pages<Account>;
  /**
   * Put accounts on a list of yours. All or none. 404 when you do not follow one of them, 422 when one of them is on
   * the list already. `POST /api/v1/lists/{id}/accounts`
   */
  addListAccounts(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    account_ids?: Id[];
  }, options?: CallOptions): Promise<Empty>;
  /** Take accounts off a list of yours. You follow them all the same. `DELETE /api/v1/lists/{id}/accounts` */
  removeListAccounts(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    account_ids?: Id[];
  }, options?: CallOptions): Promise<Empty>;
  /** Your lists that have an account. For choosing where to put it. `GET /api/v1/accounts/{id}/lists` */
  listListsWith(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<UserList[]>;
  /**
   * Statuses of who is on a list of yours. As the home shows them, but for answers that the list leaves out. `GET
   * /api/v1/timelines/list/{id}`
   */
  showListTimeline(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 20 unless told, at most `limits.page-max` (80). */
    limit?: number;
  }, options?: CallOptions): Pages<Status>;
  /**
   * Public statuses of everybody. Without comments and reposts. There are no other servers: `local` changes nothing,
   * `remote` shows nothing. `GET /api/v1/timelines/public`
   */
  showPublic(args?: {
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 20 unless told, at most `limits.page-max` (80). */
    limit?: number;
    /** Without effect: everybody is local. */
    local?: boolean;
    /** Nobody is remote: none. */
    remote?: boolean;
    /** Only with pictures. */
    only_media?: boolean;
  }, options?: CallOptions): Pages<Status>;
  /**
   * Public statuses with a hashtag. Replies to others too, which the public timeline leaves out; no comments and no
   * plain reposts. `GET /api/v1/timelines/tag/{tag}`
   */
  showTag(args: {
    /** The hashtag without its sign. */
    tag: string;
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 20 unless told, at most `limits.page-max` (80). */
    limit?: number;
    /** Or with one of these. */
    any?: string[];
    /** And with all of these. */
    all?: string[];
    /** And with none of these. */
    none?: string[];
    /** Without effect: everybody is local. */
    local?: boolean;
    /** With true an empty list: everybody is local. */
    remote?: boolean;
    /** Only with pictures. */
    only_media?: boolean;
  }, options?: CallOptions): Pages<Status>;
  /** A hashtag. Also one that nobody has used. `GET /api/v1/tags/{tag}` */
  showTagEntity(args: {
    /** The hashtag without its sign. */
    tag: string;
  }, options?: CallOptions): Promise<Tag>;
  /**
   * Trending hashtags. Those that most accounts have used today and yesterday (UTC) in public posts, two at least on
   * one of the days. `GET /api/v1/trends/tags`
   */
  listTrendingTags(args?: {
    /** How many at most. */
    limit?: number;
    /** How many to leave out. */
    offset?: number;
  }, options?: CallOptions): Promise<Tag[]>;
  /** Trending statuses. Articles are what users vote on here. `GET /api/v1/trends/statuses` */
  listTrends(args?: {
    /** How many at most; 20 unless told, at most `limits.page-max` (80). */
    limit?: number;
    /** How many to leave out. */
    offset?: number;
  }, options?: CallOptions): Promise<Status[]>;
  /**
   * Articles by score or time. A ranking by score is walked downward: a walk shows no article twice, and leaves out
   * only those that votes lift above its place meanwhile. By time it is a list as any other. `GET /api/v1/articles`
   */
  listArticles(args?: {
    /** Only those of this group. */
    group?: GroupName;
    /** By score, unless told. */
    order?: "score" | "time";
    /** Goes on behind this: by score what the Link header says, by time an id. */
    max_id?: string;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 25 unless told, at most `limits.page-max` (80). */
    limit?: number;
  }, options?: CallOptions): Pages<Status>;
  /**
   * Publish an article. An article is a public status that users vote on. Its text begins with title and link, so that
   * every client shows them. The vote of its author is the first. Read, like, comment on and delete it as any status.
   * `POST /api/v1/articles`
   */
  createArticle(args: {
    /** On one line. */
    title: string;
    /** Address of a web page, http or https. */
    link?: string;
    /** Title, link and text together have at most `limits.text-max` (500) characters, as those of a status. */
    text?: string;
    /** Groups to put it into; those that do not exist are created. */
    groups?: GroupName[];
    visibility?: "public";
    quote_approval_policy?: "public";
    spoiler_text?: string;
    sensitive?: boolean;
    /** When left out, the author's default. */
    language?: string;
    lat?: number;
    long?: number;
    /** What the place is called. */
    place?: string;
  }, options?: CallOptions): Promise<Status>;
  /** The newest articles with many votes. Those that have lasted, whatever their age. `GET /api/v1/articles/best` */
  listBestArticles(args?: Record<string, never>, options?: CallOptions): Promise<Status[]>;
  /** An article. 404 for a status that is no article. `GET /api/v1/articles/{id}` */
  showArticle(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Status>;
  /**
   * Vote for an article. A vote is worth 432 seconds of newness and is not taken back; a second one changes nothing.
   * 422 later than seven days after the publication. `POST /api/v1/articles/{id}/vote`
   */
  voteForArticle(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Status>;
  /**
   * Who voted for an article. Latest first; nobody any more when the voting is over. Cursors are opaque: take them
   * from the Link header. `GET /api/v1/articles/{id}/voters`
   */
  listVoters(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 40 unless told, at most `limits.page-max` (80). */
    limit?: number;
  }, options?: CallOptions): Pages<Account>;
  /**
   * Put an article into a group. For the author of the article and the creator of the group. A group is created by its
   * first article and ends with its last. `PUT /api/v1/articles/{id}/groups/{name}`
   */
  putArticleIntoGroup(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** Name of a group; case and compatibility forms do not count. */
    name: GroupName;
  }, options?: CallOptions): Promise<Status>;
  /**
   * Take an article out of a group. For the author of the article and the creator of the group. `DELETE
   * /api/v1/articles/{id}/groups/{name}`
   */
  takeArticleOutOfGroup(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** Name of a group; case and compatibility forms do not count. */
    name: GroupName;
  }, options?: CallOptions): Promise<Status>;
  /** Groups of articles. By how many articles they have. `GET /api/v1/groups` */
  listGroups(args?: {
    /** How many to leave out. */
    offset?: number;
    /** How many at most; 40 unless told, at most `limits.page-max` (80). */
    limit?: number;
  }, options?: CallOptions): Promise<ArticleGroup[]>;
  /**
   * Articles of a group. As those of all articles. A group that does not exist has none. `GET
   * /api/v1/groups/{name}/articles`
   */
  listArticlesOfGroup(args: {
    /** Name of a group; case and compatibility forms do not count. */
    name: GroupName;
    /** By score, unless told. */
    order?: "score" | "time";
    /** Goes on behind this: by score what the Link header says, by time an id. */
    max_id?: string;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 25 unless told, at most `limits.page-max` (80). */
    limit?: number;
  }, options?: CallOptions): Pages<Status>;
  /** How far you have read. For going on where another client has stopped. `GET /api/v1/markers` */
  showMarkers(args?: {
    /** Of which. */
    timeline?: ("home" | "notifications")[];
  }, options?: CallOptions): Promise<Markers>;
  /**
   * Say how far you have read. What it says is there for your other clients; notifications up to it count as read.
   * `POST /api/v1/markers`
   */
  setMarkers(args?: {
    home?: {
      last_read_id?: Id;
    };
    notifications?: {
      last_read_id?: Id;
    };
  }, options?: CallOptions): Promise<Markers>;
  /**
   * The push subscription of this token. 404 when it has none, and where push is switched off. `GET
   * /api/v1/push/subscription`
   */
  showPushSubscription(args?: Record<string, never>, options?: CallOptions): Promise<WebPushSubscription>;
  /**
   * Subscribe this token to push. In place of its former subscription, which ends with the token. The endpoint is an
   * https address on the public internet. `POST /api/v1/push/subscription`
   */
  createPushSubscription(args: {
    subscription: {
      endpoint: string;
      /** Encrypt as RFC 8291 says, rather than the draft before it. */
      standard?: boolean;
      keys: {
        /** Public key of P-256, base64. */
        p256dh: string;
        /** 16 bytes, base64. */
        auth: string;
      };
    };
    data?: PushData;
    /** The same as in `data`, where it counts before this one. */
    policy?: "all" | "followed" | "follower" | "none";
  }, options?: CallOptions): Promise<WebPushSubscription>;
  /** Change of which notifications push tells. Alerts that are not said are not told. `PUT /api/v1/push/subscription` */
  updatePushSubscription(args?: {
    data?: PushData;
    /** The same as in `data`, where it counts before this one. */
    policy?: "all" | "followed" | "follower" | "none";
  }, options?: CallOptions): Promise<WebPushSubscription>;
  /**
   * Unsubscribe this token from push. It is answered in the same way when there is none. `DELETE
   * /api/v1/push/subscription`
   */
  deletePushSubscription(args?: Record<string, never>, options?: CallOptions): Promise<Empty>;
  /** What others did that concerns you. One by one; `/api/v2/notifications` groups them. `GET /api/v1/notifications` */
  listNotifications(args?: {
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 40 unless told, at most `limits.page-max` (80). */
    limit?: number;
    /** Only these types. */
    types?: string[];
    /** Not these types. */
    exclude_types?: string[];
    /** Only of this account, also what is set aside. */
    account_id?: Id;
    /** Whether also what your policy sets aside. */
    include_filtered?: boolean;
  }, options?: CallOptions): Pages<Notification>;
  /**
   * How many notifications you have not read. Those that are newer than the marker of notifications. `GET
   * /api/v1/notifications/unread_count`
   */
  countNotifications(args?: {
    /** Counts up to this. */
    limit?: number;
    /** Only these types. */
    types?: string[];
    /** Not these types. */
    exclude_types?: string[];
    /** Only of this account, also what is set aside. */
    account_id?: Id;
    /** Whether also what your policy sets aside. */
    include_filtered?: boolean;
  }, options?: CallOptions): Promise<{
    count: Count;
  }>;
  /** Throw all notifications away. They do not come back. `POST /api/v1/notifications/clear` */
  clearNotifications(args?: Record<string, never>, options?: CallOptions): Promise<Empty>;
  /** One notification. By the id that lists and streams say. `GET /api/v1/notifications/{id}` */
  showNotification(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Notification>;
  /** Throw one notification away. It does not come back. `POST /api/v1/notifications/{id}/dismiss` */
  dismissNotification(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Empty>;
  /** Whose doings you want word of. With how much is set aside at the moment. `GET /api/v2/notifications/policy` */
  showNotificationPolicy(args?: Record<string, never>, options?: CallOptions): Promise<NotificationPolicy>;
  /**
   * Say whose doings you want word of. It is asked at each read. What is set aside (`filter`) is in your notification
   * requests, what is dropped nowhere; both are there again once they are accepted. `PATCH
   * /api/v2/notifications/policy`
   */
  updateNotificationPolicy(args?: {
    for_not_following?: "accept" | "filter" | "drop";
    for_not_followers?: "accept" | "filter" | "drop";
    for_new_accounts?: "accept" | "filter" | "drop";
    for_private_mentions?: "accept" | "filter" | "drop";
    for_limited_accounts?: "accept" | "filter" | "drop";
  }, options?: CallOptions): Promise<NotificationPolicy>;
  /**
   * Say whose doings you want word of. The same as PATCH: what is not named stays as it is. `PUT
   * /api/v2/notifications/policy`
   */
  putNotificationPolicy(args?: {
    for_not_following?: "accept" | "filter" | "drop";
    for_not_followers?: "accept" | "filter" | "drop";
    for_new_accounts?: "accept" | "filter" | "drop";
    for_private_mentions?: "accept" | "filter" | "drop";
    for_limited_accounts?: "accept" | "filter" | "drop";
  }, options?: CallOptions): Promise<NotificationPolicy>;
  /**
   * Whose doings your policy has set aside. One for each account whose notifications are set aside. Cursors are ids of
   * notifications: take them from the Link header. `GET /api/v1/notifications/requests`
   */
  listNotificationRequests(args?: {
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 40 unless told, at most `limits.page-max` (80). */
    limit?: number;
  }, options?: CallOptions): Pages<NotificationRequest>;
  /**
   * Whether what you accepted is among your notifications. Clients ask this after accepting a request. `GET
   * /api/v1/notifications/requests/merged`
   */
  showMergedNotificationRequests(args?: Record<string, never>, options?: CallOptions): Promise<{
    merged: boolean;
  }>;
  /**
   * Accept what some accounts do, and have done. What there is no request of is left out. It holds until you block
   * them; of the accounts that you accept so the newest 1000 are kept. `POST /api/v1/notifications/requests/accept`
   */
  acceptNotificationRequests(args: {
    id: Id[];
  }, options?: CallOptions): Promise<Empty>;
  /**
   * Throw away what is set aside of some accounts. What there is no request of is left out. `POST
   * /api/v1/notifications/requests/dismiss`
   */
  dismissNotificationRequests(args: {
    id: Id[];
  }, options?: CallOptions): Promise<Empty>;
  /** One request. By the id of the account. `GET /api/v1/notifications/requests/{id}` */
  showNotificationRequest(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<NotificationRequest>;
  /**
   * Accept what an account does, and has done. It holds until you block the account; of the accounts that you accept
   * so the newest 1000 are kept. `POST /api/v1/notifications/requests/{id}/accept`
   */
  acceptNotificationRequest(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Empty>;
  /**
   * Throw away what is set aside of an account. What the account does later is set aside again. `POST
   * /api/v1/notifications/requests/{id}/dismiss`
   */
  dismissNotificationRequest(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Empty>;
  /**
   * What others did that concerns you, several of a kind as one. The likes of a status, its reposts, and follows of
   * one half day of UTC are a group. A group stands where its newest notification stands, so that a walk in either
   * direction meets each once. `GET /api/v2/notifications`
   */
  listGroupedNotifications(args?: {
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 40 unless told, at most `limits.page-max` (80). */
    limit?: number;
    /** Only these types. */
    types?: string[];
    /** Not these types. */
    exclude_types?: string[];
    /** Only of this account, also what is set aside. */
    account_id?: Id;
    /** Which types are grouped; unless told `favourite`, `follow` and `reblog`, and never another. */
    grouped_types?: string[];
    /** Whether also what your policy sets aside. */
    include_filtered?: boolean;
    /** Whether all accounts are in full, or of each group the newest alone. */
    expand_accounts?: "full" | "partial_avatars";
  }, options?: CallOptions): Promise<GroupedNotifications>;
  /**
   * How many groups have notifications that you have not read. Those that are newer than the marker of notifications.
   * `GET /api/v2/notifications/unread_count`
   */
  countGroupedNotifications(args?: {
    /** Counts up to this. */
    limit?: number;
    /** Only these types. */
    types?: string[];
    /** Not these types. */
    exclude_types?: string[];
    /** Only of this account, also what is set aside. */
    account_id?: Id;
    /** Which types are grouped; unless told `favourite`, `follow` and `reblog`, and never another. */
    grouped_types?: string[];
    /** Whether also what your policy sets aside. */
    include_filtered?: boolean;
  }, options?: CallOptions): Promise<{
    count: Count;
  }>;
  /** Throw all notifications away. The same as that of v1. `POST /api/v2/notifications/clear` */
  clearGroupedNotifications(args?: Record<string, never>, options?: CallOptions): Promise<Empty>;
  /** One group of notifications. With the accounts and the status that it is about. `GET /api/v2/notifications/{name}` */
  showNotificationGroup(args: {
    /** The `group_key` of a group of notifications, as an answer has spelled it. */
    name: string;
  }, options?: CallOptions): Promise<GroupedNotifications>;
  /**
   * Whose doings a group tells of. The newest notification first. A group that does not exist has none. `GET
   * /api/v2/notifications/{name}/accounts`
   */
  listNotificationGroupAccounts(args: {
    /** The `group_key` of a group of notifications, as an answer has spelled it. */
    name: string;
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 40 unless told, at most `limits.page-max` (80). */
    limit?: number;
  }, options?: CallOptions): Pages<Account>;
  /**
   * Throw a group of notifications away. A group that does not exist is no mistake. `POST
   * /api/v2/notifications/{name}/dismiss`
   */
  dismissNotificationGroup(args: {
    /** The `group_key` of a group of notifications, as an answer has spelled it. */
    name: string;
  }, options?: CallOptions): Promise<Empty>;
  /** Suggest an account no more. The newest 500 are remembered. `DELETE /api/v1/suggestions/{id}` */
  dismissSuggestion(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Empty>;
  /**
   * Accounts to follow. First whom those follow whom you have followed last, by how many of them do; then who posts
   * publicly these days, by their followers. Without those whom you follow, block, mute or have dismissed, and who do
   * not want to be suggested. `GET /api/v2/suggestions`
   */
  listSuggestions(args?: {
    /** How many at most; 40 unless told, at most `limits.page-max` (80). */
    limit?: number;
  }, options?: CallOptions): Promise<Suggestion[]>;
  /**
   * Accounts to discover. Of the 1000 accounts that have posted or signed up last those that want to be found
   * (`discoverable`), without whom you block or mute and who blocks you. `GET /api/v1/directory`
   */
  listDirectory(args?: {
    /** Who has posted last first, unless told. */
    order?: "active" | "new";
    /** How many to leave out. */
    offset?: number;
    /** Without effect: everybody is local. */
    local?: boolean;
    /** How many at most. */
    limit?: number;
  }, options?: CallOptions): Promise<Account[]>;
  /**
   * Accounts and hashtags by name, statuses by their words. Hashtags that public statuses have and that begin so, 60
   * at most: the whole name first, then those that most accounts have used in the last seven days. Statuses, the
   * newest first, for who is logged in: public ones of accounts that are `indexable`, ones own, and those that name
   * one; nothing of accounts that one blocks or mutes. All words must be there, in any order; `"phrases"`, `#tags`,
   * `from:name` (or `from:me`), `has:media`, `has:link`, `has:quote`, `is:reply`, `is:sensitive`, `in:library` (ones
   * own and those that name one), `in:public`, `language:en`, `before:`, `after:` and `during:` with a day of UTC such
   * as 2026-01-31, and a minus before any of these. 422 for a query that is too long, has wildcards or a day that is
   * none. `GET /api/v2/search`
   */
  search(args: {
    /** What to look for. */
    q: string;
    /** Only this kind. */
    type?: "accounts" | "hashtags" | "statuses";
    /** Without effect. */
    resolve?: boolean;
    /** Only accounts that you follow. */
    following?: boolean;
    /** How many of each kind. */
    limit?: number;
    /** How many to leave out; with type only. */
    offset?: number;
    /** Only statuses of this account. */
    account_id?: string;
    /** Only statuses older than this one. */
    max_id?: string;
    /** Only statuses newer than this one. */
    min_id?: string;
  }, options?: CallOptions): Promise<Search>;
  /**
   * A ticket for one connection. Stands in for your token as `?ticket=` where headers cannot be set; can be used once,
   * for 30 seconds. The cookie that comes with it lets the same browser come back to a stream with the ticket that it
   * has used, for as long as the token is good. `POST /api/v1/streaming/tickets`
   */
  createStreamingTicket(args?: Record<string, never>, options?: CallOptions): Promise<{
    ticket: string;
    /** Seconds. */
    expires_in: number;
  }>;
  /**
   * What this server is and allows. As Mastodon had it before version 4; `/api/v2/instance` says more. `GET
   * /api/v1/instance`
   */
  showInstance(args?: Record<string, never>, options?: CallOptions): Promise<InstanceV1>;
  /** What this server is and allows. Its name, its limits, and which of its features are on. `GET /api/v2/instance` */
  showInstanceV2(args?: Record<string, never>, options?: CallOptions): Promise<InstanceV2>;
  /**
   * Activity by week. The present week and the eleven before it, from Monday on (UTC), newest first, at most a minute
   * old. Servers that have been upgraded count from then on. `GET /api/v1/instance/activity`
   */
  listActivity(args?: Record<string, never>, options?: CallOptions): Promise<Activity[]>;
  /** Where an account has its page. For clients that know an account by `acct:name@host`. `GET /.well-known/webfinger` */
  showWebFinger(args: {
    /** `acct:name@host`, or the URL of an account. */
    resource: string;
  }, options?: CallOptions): Promise<WebFinger>;
  /** Where the node information is. For programs that ask which software a server runs. `GET /.well-known/nodeinfo` */
  listNodeInfo(args?: Record<string, never>, options?: CallOptions): Promise<NodeInfoLinks>;
  /** Node information. The software, its version, and how much is in use. `GET /nodeinfo/2.0` */
  showNodeInfo(args?: Record<string, never>, options?: CallOptions): Promise<NodeInfo>;
  /**
   * Upload a picture, a video or a sound. A JPEG, PNG, GIF or WebP file, as the part `file` of `multipart/form-data`;
   * the instance document says how large. It is processed: turned upright, made smaller if need be, and written anew
   * without metadata. Of an animation the first frame is kept. A picture that takes long, such as a JPEG of more than
   * 16 megapixels or a PNG of more than 4, is answered before that, with 202 and without `url`: ask `GET
   * /api/v1/media/{id}` until it is 200. It is deleted after a day unless a status takes it. A server bounds the bytes
   * of all files of an account; beyond that the answer is 422, and says how many there are: delete posts with
   * pictures. Or a video (MP4, QuickTime or WebM) or a sound (MP3, Ogg, FLAC, WAV, M4A, AAC, or WebM without video),
   * told by its bytes. It is stored as it is; of MP4, QuickTime and M4A what tells of place and camera is overwritten,
   * but for the titles and the cover of a sound. A server may take none (`video_size_limit` 0). `POST /api/v2/media`
   */
  createMedia(args: {
    /** The picture, video or sound. */
    file: Blob;
    /** A picture that is shown in its place in small: `preview_url`. */
    thumbnail?: Blob;
    /** What can be seen on it. */
    description?: string;
    /** What must stay visible when it is cut: two numbers from -1 to 1 with a comma between. */
    focus?: string;
  }, options?: CallOptions): Promise<MediaAttachment>;
  /**
   * One of your uploads that is not posted yet. Clients ask this until an upload is ready. 422 = it cannot be made,
   * and the sentence says why. `GET /api/v1/media/{id}`
   */
  showMedia(args: {
    /** As the upload was answered. */
    id: Id;
  }, options?: CallOptions): Promise<MediaAttachment>;
  /**
   * Change the description or the focus of an upload. Until it is posted; also while it is processed. `PUT
   * /api/v1/media/{id}`
   */
  updateMedia(args: {
    /** As the upload was answered. */
    id: Id;
    /**
     * Another `preview_url`, as a part of `multipart/form-data`. `url` changes, too; 422 while the upload is
     * processed.
     */
    thumbnail?: Blob;
    description?: string;
    focus?: string;
  }, options?: CallOptions): Promise<MediaAttachment>;
  /**
   * Delete an upload that is not posted yet. A picture of one of your newest posts gets a 422: delete the post.
   * `DELETE /api/v1/media/{id}`
   */
  deleteMedia(args: {
    /** As the upload was answered. */
    id: Id;
  }, options?: CallOptions): Promise<Empty>;
  /**
   * Take the picture out of your profile. Afterwards you have the one that is drawn for you. `DELETE
   * /api/v1/profile/avatar`
   */
  deleteAvatar(args?: Record<string, never>, options?: CallOptions): Promise<CredentialAccount>;
  /**
   * Take the wide picture out of your profile. Afterwards you have the one that all have at first. `DELETE
   * /api/v1/profile/header`
   */
  deleteHeader(args?: Record<string, never>, options?: CallOptions): Promise<CredentialAccount>;
  /**
   * Announcements. What the operator announces now, the newest first. `announcements` of `/api/v2/instance` says how
   * many there are. `GET /api/v1/announcements`
   */
  listAnnouncements(args?: {
    /** Also those that you have dismissed. */
    with_dismissed?: boolean;
  }, options?: CallOptions): Promise<Announcement[]>;
  /** Show an announcement no more. Also on the other devices of the account. `POST /api/v1/announcements/{id}/dismiss` */
  dismissAnnouncement(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Empty>;
  /**
   * Custom emojis. Pictures that people write as `:shortcode:`, in the order of their shortcodes. The operator adds
   * them. `GET /api/v1/custom_emojis`
   */
  listCustomEmojis(args?: Record<string, never>, options?: CallOptions): Promise<CustomEmoji[]>;
  /**
   * What you prefer. From your profile: the visibility and language of your posts, what is shown of others. `GET
   * /api/v1/preferences`
   */
  showPreferences(args?: Record<string, never>, options?: CallOptions): Promise<Preferences>;
  /** A poll. Its id is that of its status; whoever may see that may see the poll. `GET /api/v1/polls/{id}` */
  showPoll(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Poll>;
  /**
   * Vote. Of a poll that takes several choices, more can be chosen later. Nothing is taken back. 422 for one's own
   * poll, for what one has chosen already, and when it has ended; 403 for a poll of somebody whom one blocks. `POST
   * /api/v1/polls/{id}/votes`
   */
  votePoll(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** Numbers of options, from 0 on. */
    choices?: number[];
  }, options?: CallOptions): Promise<Poll>;
  /** What you have scheduled. What is published already is not among them. `GET /api/v1/scheduled_statuses` */
  listScheduledStatuses(args?: {
    /** Only what is older than this; exclusive. */
    max_id?: Cursor;
    /** Only what is newer than this, from the newest on; exclusive. */
    since_id?: Cursor;
    /** Only what is newer than this, from the oldest on; exclusive. 0 begins with the oldest of all. */
    min_id?: Cursor;
    /** How many at most; 20 unless told, at most `limits.page-max` (80). */
    limit?: number;
  }, options?: CallOptions): Pages<ScheduledStatus>;
  /**
   * One that you have scheduled. 404 for somebody elses, and for one that is published. `GET
   * /api/v1/scheduled_statuses/{id}`
   */
  showScheduledStatus(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<ScheduledStatus>;
  /** Have it published at another time. Without a time it stays as it is. `PUT /api/v1/scheduled_statuses/{id}` */
  updateScheduledStatus(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
    /** As in a new status. */
    scheduled_at?: string;
  }, options?: CallOptions): Promise<ScheduledStatus>;
  /** Cancel it. Its pictures can be posted for another day. `DELETE /api/v1/scheduled_statuses/{id}` */
  deleteScheduledStatus(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Empty>;
  /**
   * Your posts that wait for a moderator. All of them, the newest first. A post waits when `createStatus` answers 422
   * with the code `ERR_HELD`: it is published when a moderator approves it. `GET /api/v1/held_statuses`
   */
  listHeldStatuses(args?: Record<string, never>, options?: CallOptions): Promise<HeldStatus[]>;
  /**
   * A post of yours that waits for a moderator. 404 for that of somebody else, and for one that waits no more. `GET
   * /api/v1/held_statuses/{id}`
   */
  showHeldStatus(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<HeldStatus>;
  /**
   * Withdraw a post that waits for a moderator. Its pictures can be posted for another day. `DELETE
   * /api/v1/held_statuses/{id}`
   */
  deleteHeldStatus(args: {
    /** Decimal, at most 2^53 - 1. What cannot be an id gets the 404 of an id that nothing has. */
    id: Id;
  }, options?: CallOptions): Promise<Empty>;
  /**
   * Rules. The rules of this server, in the order of the operator. A report names the ones that are broken. `GET
   * /api/v1/instance/rules`
   */
  listRules(args?: Record<string, never>, options?: CallOptions): Promise<Rules>;
  /** A longer description. For clients that show it beside the short one. `GET /api/v1/instance/extended_description` */
  showExtendedDescription(args?: Record<string, never>, options?: CallOptions): Promise<SiteText>;
  /** The privacy policy. For clients that show it before a sign-up. `GET /api/v1/instance/privacy_policy` */
  showPrivacyPolicy(args?: Record<string, never>, options?: CallOptions): Promise<SiteText>;
  /**
   * The terms of service. The version in force. Before any is in force, the first one. `GET
   * /api/v1/instance/terms_of_service`
   */
  showTerms(args?: Record<string, never>, options?: CallOptions): Promise<TermsOfService>;
  /** One version of the terms of service. Former and coming versions too. `GET /api/v1/instance/terms_of_service/{id}` */
  showTermsOf(args: {
    /** The day (UTC) from which it is in force, such as `2026-12-01`. */
    id: string;
  }, options?: CallOptions): Promise<TermsOfService>;
  /** Languages. For clients that let people choose the language of a post. `GET /api/v1/instance/languages` */
  listLanguages(args?: Record<string, never>, options?: CallOptions): Promise<{
    code: string;
    name: string;
  }[]>;
}
