// Requests to the service. The token lives in this module's memory and goes nowhere but into one header.

const PREFIX = "/api/v1";
const PATIENCE = 30_000;
let token = null;
let asked = null;

export class Problem extends Error {
  constructor(status, title, detail) {
    super(detail || title);
    this.status = status;
    this.title = title;
  }
}

// Called when a token is wanted; it returns a promise that is kept once somebody has signed in.
export function whenSignInIsNeeded(deed) {
  asked = deed;
}

async function send(method, path, body) {
  const headers = { Accept: "application/json" };
  if (token !== null) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(PREFIX + path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "omit",
      cache: "no-store",
      redirect: "error",
      signal: AbortSignal.timeout(PATIENCE),
    });
  } catch {
    throw new Problem(0, "No answer", "The service does not answer. Is the network there? Try again.");
  }
  if (response.status === 204) return null;
  const told = await response.json().catch(() => ({}));
  if (!response.ok) throw new Problem(response.status, told.title || "Failed", told.detail || "");
  return told;
}

export async function signIn(user, secret) {
  token = null;
  token = (await send("POST", "/tokens", { user_id: user, secret })).token;
}

export async function signOut() {
  try {
    if (token !== null) await send("DELETE", "/tokens/current");
  } catch {
    // What matters is that this page has forgotten it.
  }
  token = null;
}

// Sends a request; where the token has run out, once more after signing in.
export async function request(method, path, body) {
  try {
    return await send(method, path, body);
  } catch (problem) {
    if (problem.status !== 401) throw problem;
    token = null;
    await asked();
    return send(method, path, body);
  }
}
