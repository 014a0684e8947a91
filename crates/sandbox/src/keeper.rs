//! The program of a keeper, the first process of a sandbox: it lets the bot run, reaps orphans, and ends as the bot ends.
//!
//! It is a few instructions in a file in memory that has no name: nothing of `agon` is inside a sandbox.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, OwnedFd};
use std::sync::OnceLock;

use rustix::fs::MemfdFlags;
use rustix::process::PidfdFlags;

/// The number of the bot in its process namespace is 2, since the keeper's first child is the bot.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod code {
    std::arch::global_asm!(
        ".pushsection .rodata",
        "agon_keeper:",
        // write(0, stack, 1), close(0): the keeper is no longer a copy of its parent.
        "xor edi, edi",
        "mov rsi, rsp",
        "mov edx, 1",
        "mov eax, 1",
        "syscall",
        "xor edi, edi",
        "mov eax, 3",
        "syscall",
        // wait4(-1, status, 0, 0) until the bot has ended.
        "2:",
        "mov rdi, -1",
        "lea rsi, [rsp - 64]",
        "xor edx, edx",
        "xor r10d, r10d",
        "mov eax, 61",
        "syscall",
        "cmp eax, 2",
        "je 3f",
        // ECHILD: no child is left.
        "cmp eax, -10",
        "jne 2b",
        "mov edi, 127",
        "jmp 5f",
        // exit_group(code), or 128 and the signal, as shells report it.
        "3:",
        "mov edi, [rsp - 64]",
        "mov eax, edi",
        "and eax, 127",
        "jz 4f",
        "lea edi, [rax + 128]",
        "jmp 5f",
        "4:",
        "shr edi, 8",
        "5:",
        "mov eax, 231",
        "syscall",
        "agon_keeper_end:",
        ".popsection",
    );

    unsafe extern "C" {
        static agon_keeper: u8;
        static agon_keeper_end: u8;
    }

    pub(super) fn bytes() -> &'static [u8] {
        let (start, end) = (&raw const agon_keeper, &raw const agon_keeper_end);
        // SAFETY: both labels are in the same read-only section, the second after the first, with bytes between.
        unsafe { std::slice::from_raw_parts(start, end.addr() - start.addr()) }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod code {
    /// Not written for this processor yet: bubblewrap makes the sandboxes.
    pub(super) fn bytes() -> &'static [u8] {
        &[]
    }
}

/// The address at which the program is loaded.
const ADDRESS: u64 = 0x0040_0000;
const HEADERS: usize = 64 + 56;

/// The program as a file that the kernel can run.
fn file() -> Option<Vec<u8>> {
    let code = Some(code::bytes()).filter(|code| !code.is_empty())?;
    let length = (HEADERS + code.len()) as u64;
    let mut file = Vec::new();
    // The header of an ELF file for 64 bits, little endian, executable, x86-64.
    file.extend([0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    for half in [2_u16, 62] {
        file.extend(half.to_le_bytes());
    }
    file.extend(1_u32.to_le_bytes());
    // The entry, and the places of the program headers and of the (missing) section headers.
    for word in [ADDRESS + HEADERS as u64, 64, 0] {
        file.extend(word.to_le_bytes());
    }
    file.extend(0_u32.to_le_bytes());
    for half in [64_u16, 56, 1, 64, 0, 0] {
        file.extend(half.to_le_bytes());
    }
    // One part, to be read and run.
    for half in [1_u32, 5] {
        file.extend(half.to_le_bytes());
    }
    for word in [0, ADDRESS, ADDRESS, length, length, 4096] {
        file.extend(word.to_le_bytes());
    }
    file.extend(code);
    Some(file)
}

/// The keeper's program, open for reading.
pub(crate) fn program() -> io::Result<BorrowedFd<'static>> {
    static FILE: OnceLock<Result<OwnedFd, String>> = OnceLock::new();
    let made = FILE.get_or_init(|| make().map_err(|error| error.to_string()));
    made.as_ref().map(|file| file.as_fd()).map_err(|error| io::Error::other(error.clone()))
}

fn make() -> io::Result<OwnedFd> {
    let bytes = file().ok_or_else(|| io::Error::other("no keeper for this processor"))?;
    let memory: OwnedFd = rustix::fs::memfd_create(c"keeper", MemfdFlags::CLOEXEC)?;
    let mut writer = File::from(memory);
    writer.write_all(&bytes)?;
    // The kernel runs no file that is open for writing.
    let reader = File::open(format!("/proc/self/fd/{}", writer.as_raw_fd()))?;
    drop(writer);
    Ok(rustix::io::fcntl_dupfd_cloexec(reader, 3)?)
}

/// A descriptor of this process, readable when it has ended.
pub(crate) fn us() -> io::Result<BorrowedFd<'static>> {
    static US: OnceLock<Result<OwnedFd, String>> = OnceLock::new();
    let open = || {
        let us = rustix::process::pidfd_open(rustix::process::getpid(), PidfdFlags::empty())?;
        rustix::io::fcntl_dupfd_cloexec(us, 3)
    };
    let opened = US.get_or_init(|| open().map_err(|error| error.to_string()));
    opened.as_ref().map(|us| us.as_fd()).map_err(|error| io::Error::other(error.clone()))
}
