//! Bots under a debugger: the terminal belongs to the debugger, the input comes from a file.

use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sandbox::Program;
use toolchain::BotSpec;

use crate::Failure;
use crate::output::note;

/// How a bot is started.
#[derive(Clone, Copy, Debug)]
pub(super) enum Debugger<'a> {
    Gdb,
    Lldb,
    Pdb,
    /// A command of the user.
    Wrap(&'a str),
}

/// Runs a script under pdb. The arguments are the input, the script and its arguments. pdb reads its commands from the
/// terminal, the script reads the input.
const PDB: &str = "\
import pdb, sys
terminal, sys.stdin = sys.stdin, open(sys.argv[1])
sys.argv = sys.argv[2:]
with open(sys.argv[0]) as file:
    code = compile(file.read(), sys.argv[0], 'exec')
import __main__
names = __main__.__dict__
names.update(__file__=sys.argv[0], __name__='__main__')
pdb.Pdb(stdin=terminal, stdout=sys.stdout).run(code, names)
";

/// A file that is removed when it is dropped.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        // A file that cannot be removed does no harm.
        let _ = std::fs::remove_file(&self.0);
    }
}

impl Debugger<'_> {
    /// Starts a bot with this input and waits for its end. The input is kept in `keep`, otherwise in a temporary file.
    pub(super) fn start(
        self,
        words: &str,
        program: &Program,
        input: &str,
        keep: Option<&Path>,
    ) -> Result<(), Failure> {
        let temporary = keep.is_none().then(|| {
            Temporary(std::env::temp_dir().join(format!("agon-debug-{}.input", std::process::id())))
        });
        let path = keep.or(temporary.as_ref().map(|file| file.0.as_path())).unwrap_or(Path::new(""));
        let path = std::path::absolute(path)?;
        let unwritable = |error| Failure::Unusable(format!("{} cannot be written: {error}", path.display()));
        let mut options = OpenOptions::new();
        options.write(true).mode(0o600);
        // Another user may have put a link where the temporary file goes: it must be a new one.
        let options =
            if keep.is_some() { options.create(true).truncate(true) } else { options.create_new(true) };
        options.open(&path).and_then(|mut file| file.write_all(input.as_bytes())).map_err(unwritable)?;
        let mut command = self.command(words, program, &path)?;
        if let Some(folder) = &program.folder {
            command.current_dir(folder);
        }
        command.envs(program.env.iter().map(|(name, value)| (name, value)));
        // Ctrl-C is for the debugger.
        ctrlc::set_handler(|| {})?;
        let name = command.get_program().to_string_lossy().into_owned();
        let status = command
            .status()
            .map_err(|error| Failure::Unusable(format!("{name} cannot be started: {error}")))?;
        if !status.success() {
            note(&format!("{name} ended with {status}"));
        }
        Ok(())
    }

    /// The command that starts the bot.
    fn command(self, words: &str, program: &Program, input: &Path) -> Result<Command, Failure> {
        let (file, arguments) =
            program.argv.split_first().ok_or_else(|| Failure::Unusable("the bot has no program".into()))?;
        let quoted = |words: &[OsString]| shell_words::join(words.iter().map(|word| word.to_string_lossy()));
        let mut command;
        match self {
            Debugger::Gdb => {
                let redirect = shell_words::quote(&input.to_string_lossy()).into_owned();
                command = Command::new("gdb");
                command.args(["-q", "-ex"]);
                command.arg(format!("set args {} < {redirect}", quoted(arguments)));
                command.arg(file);
            }
            Debugger::Lldb => {
                command = Command::new("lldb");
                command.arg("-o").arg(format!("settings set target.input-path {}", input.display()));
                command.arg("--").arg(file).args(arguments);
            }
            Debugger::Pdb => {
                let script = python_script(words, program)?;
                command = Command::new(file);
                command.args(["-c", PDB]).arg(input).arg(&script.0).args(script.1);
            }
            Debugger::Wrap(wrap) => {
                let input_text = input.to_string_lossy();
                let line = wrap
                    .replace("{input}", &shell_words::quote(&input_text))
                    .replace("{}", &quoted(&program.argv));
                command = Command::new("/bin/sh");
                command.arg("-c").arg(line);
                if !wrap.contains("{input}") {
                    command.stdin(Stdio::from(File::open(input)?));
                }
            }
        }
        Ok(command)
    }
}

/// The script of a Python bot and its arguments. A source file is taken from its place, so that the debugger shows it.
fn python_script(words: &str, program: &Program) -> Result<(PathBuf, Vec<OsString>), Failure> {
    let interpreter = program.argv.first().map(Path::new).and_then(Path::file_name).unwrap_or(OsStr::new(""));
    if !interpreter.to_string_lossy().starts_with("python") {
        return Err(Failure::Unusable(
            "--pdb is for Python bots; --gdb, --lldb or --wrap start others".into(),
        ));
    }
    if let Some(path) = words.parse::<BotSpec>()?.source() {
        return Ok((std::path::absolute(path)?, Vec::new()));
    }
    let place = program.argv.iter().skip(1).position(|word| Path::new(word).is_file()).map(|place| place + 1);
    let Some(place) = place else {
        return Err(Failure::Unusable("the command names no script; name the bot by its source file".into()));
    };
    Ok((std::path::absolute(&program.argv[place])?, program.argv[place + 1..].to_vec()))
}
