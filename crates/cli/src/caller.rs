//! The caller of a command: a shell, or a tool of the MCP server, which collects the output and may ask the command to stop.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::Failure;

/// A tool that waits for a command.
struct Tool {
    output: String,
    stop: Arc<AtomicBool>,
}

thread_local! {
    /// The tool whose command this thread runs.
    static TOOL: RefCell<Option<Tool>> = const { RefCell::new(None) };
}

/// Runs a command for a tool, on this thread. Returns its result and its output.
pub(crate) fn for_tool<T>(stop: Arc<AtomicBool>, command: impl FnOnce() -> T) -> (T, String) {
    TOOL.replace(Some(Tool { output: String::new(), stop }));
    let result = command();
    let output = TOOL.take().map_or_else(String::new, |tool| tool.output);
    (result, output)
}

/// Gives results to the tool, if a tool has called the command.
pub(crate) fn collect(text: &str) -> bool {
    TOOL.with_borrow_mut(|tool| tool.as_mut().map(|tool| tool.output.push_str(text)).is_some())
}

/// A flag that is set when the caller asks to stop. In a shell the first Ctrl-C sets it, and the second ends the program at
/// once.
pub(crate) fn stop_flag() -> Result<Arc<AtomicBool>, Failure> {
    if let Some(stop) = TOOL.with_borrow(|tool| tool.as_ref().map(|tool| Arc::clone(&tool.stop))) {
        return Ok(stop);
    }
    let stop = Arc::new(AtomicBool::new(false));
    let signal = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if signal.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })?;
    Ok(stop)
}
